import { accessSync, constants } from 'node:fs'

/** System paths of Chromium and Chrome, preferred first: the headless shell uses half the CPU time. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * The browser for end-to-end tests: `$CHROMIUM_PATH`, otherwise a system browser. Undefined if there is none;
 * Playwright then uses its own download.
 */
export function findSystemChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const chosen = env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') return chosen
  return systemPaths.find(isExecutable)
}

/** True if the file exists and is executable. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
