import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { type Site, startSite } from './site.ts'
import { openPage, type ViewerPage } from './viewer-page.ts'

const chromium = findChromium()

/** Why map viewers are not looked at; false where they are. */
export const NO_CHROMIUM = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
if (NO_CHROMIUM) console.log(`skipped: ${NO_CHROMIUM}`)

/** The page with the map viewers, and the service that serves a folder of files to it. */
export interface ViewerWorld {
  readonly page: ViewerPage
  /** The URL of the store of a file, without a slash at its end. */
  storeOf(file: string): string
}

/** Called within `describe`: before its tests a folder is filled, and opened in a browser; all is gone after them. */
export function viewerWorld(fill: (folder: string) => void | Promise<void>): ViewerWorld {
  let folder: string
  let server: ServerProcess
  let site: Site
  let browser: Browser
  let page: ViewerPage
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-browser-'))
    await fill(folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
    site = await startSite()
    browser = await launchChromium(chromium ?? '')
    page = await openPage(browser, site.url)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })
  return {
    get page() {
      return page
    },
    storeOf: (file) =>
      `${server.url}zarr/~${Buffer.from(pathToFileURL(join(folder, file)).href).toString('base64url')}`,
  }
}
