import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
/** WebGL in software; and nothing that a browser does of its own accord. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** Where Chromium is installed; `CHROMIUM` names it too. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const named = process.env['CHROMIUM']
  const candidates = named ? [named] : folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return candidates.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A browser with a profile of its own that can reach nothing but this machine. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: FLAGS, headless: true })
}
