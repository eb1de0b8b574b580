import { accessSync, constants } from 'node:fs'

/**
 * Where systems keep a Chromium or a Chrome, preferred first: the one without a window of its own does the
 * same with half the CPU time.
 */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * The browser that the end-to-end tests drive: `$CHROMIUM_PATH`, else one the system brings. Undefined where
 * there is none; Playwright then takes the one it has downloaded itself.
 */
export function findSystemChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const chosen = env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') return chosen
  return systemPaths.find(isExecutable)
}

/** True when the file is there and may be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
