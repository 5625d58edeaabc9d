import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

test('files of `python -m http.server` on this machine: the refusal says how they are allowed', async () => {
  const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
  const python = spawn(interopPython(), ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1'], { cwd: examples })
  const server = await startServer()
  try {
    const [line] = (await once(python.stdout, 'data')) as [Buffer]
    const port = /port (\d+)/.exec(String(line))?.[1] ?? assert.fail(String(line))
    const query = `resolve?url=${encodeURIComponent(`http://localhost:${port}/sea-surface.nc`)}`
    const refusal = (await (await fetch(server.url + query)).json()) as { detail: string }
    const [, setting = '', value = ''] = /(VZ_\w+)=(\S+)/.exec(refusal.detail) ?? []
    const allowing = await startServer({ [setting]: value })
    try {
      const { url } = (await (await fetch(allowing.url + query)).json()) as { url: string }
      const code = `import xarray as xr; print(xr.open_zarr(${JSON.stringify(url)}).sst.sel(lat=47.5, lon=-32.5).values)`
      const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', '-c', code])
      assert.match(stdout, /^\[ ?\d+\.\d+ /)
    } finally {
      await allowing.stop()
    }
  } finally {
    await server.stop()
    python.kill()
    await once(python, 'exit')
  }
})
