import type { Config } from '../config.ts'
import { type Check, reasonOf } from './check.ts'

/** Whether the server of kept stores answers in time, and takes our word for who we are. */
export async function redisChecks({ redis: address }: Pick<Config, 'redis'>): Promise<readonly Check[]> {
  if (address === undefined) return []
  const what = `redis ${address.host}:${address.port}`
  const { RedisNode } = await import('../../manifests/redis/redis-node.ts')
  return await new Promise((resolve) => {
    const node = new RedisNode({
      address,
      mostBytes: 0,
      onChange(error) {
        node.close()
        if (error === undefined) resolve([{ what, state: 'ok', told: 'answers in time' }])
        else resolve([{ what, state: 'failed', told: reasonOf(error) }])
      },
    })
  })
}
