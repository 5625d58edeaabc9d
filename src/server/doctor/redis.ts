import type { Config } from '../config.ts'
import { type Check, reasonOf } from './check.ts'

/** Whether the server of kept stores answers in time, and takes our word for who we are. */
export async function redisChecks({ redis: address }: Pick<Config, 'redis'>): Promise<readonly Check[]> {
  if (address === undefined) return []
  const what = `redis ${address.host}:${address.port}`
  const { RedisClient } = await import('../../manifests/redis/redis-client.ts')
  return await new Promise((resolve) => {
    const client = new RedisClient({
      address,
      onChange(error) {
        client.close()
        if (error === undefined) resolve([{ what, state: 'ok', told: 'answers in time' }])
        else resolve([{ what, state: 'failed', told: reasonOf(error) }])
      },
    })
  })
}
