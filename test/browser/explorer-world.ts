import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { type ExplorerPage, openExplorer, type PageLooks } from './explorer-page.ts'

/** A service that may read a folder, and the explorer on it. */
export interface ExplorerWorld {
  readonly folder: string
  /** The service, with a slash at its end. */
  readonly url: string
  /** Opens a page for as long as it is used. */
  opened<Value>(use: (explorer: ExplorerPage) => Promise<Value>, looks?: PageLooks): Promise<Value>
}

type Settings = Readonly<Record<string, string>>

/** Called within `describe`: before its tests the folder is filled, which may answer further settings; all is gone after them. */
export function explorerWorld(fill: (folder: string) => Settings | Promise<Settings> = () => ({})): ExplorerWorld {
  let folder: string
  let server: ServerProcess
  let browser: Browser
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-explorer-'))
    server = await startServer({ VZ_FILE_ROOT: folder, ...(await fill(folder)) })
    browser = await launchChromium(findChromium() ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })
  return {
    get folder() {
      return folder
    },
    get url() {
      return server.url
    },
    async opened(use, looks = {}) {
      const explorer = await openExplorer(browser, server.url, looks)
      try {
        return await use(explorer)
      } finally {
        await explorer.page.close()
      }
    },
  }
}
