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

/**
 * The popups of the address bar. In the full Chromium each new page has two of them, in separate processes:
 * half of the CPU time of opening and closing a page.
 */
const addressBarPopups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** The features that Playwright disables, repeated here: only the last list on the command line counts. */
const featuresOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * The process that a page with this header gets, besides that of the empty page before it: a third of the CPU
 * time of opening a page. `test/integration/console-http.test.ts` checks the header.
 */
const openerPolicy = 'CrossOriginOpenerPolicy'

const featuresOff = [...featuresOffByPlaywright, ...addressBarPopups, openerPolicy]

/** The options with which tests launch the browser. */
export function testBrowserOptions(env: Readonly<Record<string, string | undefined>>) {
  const executablePath = findSystemChromium(env)
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      // The sandbox needs privileges that containers and root lack; the tests visit only their own server.
      '--no-sandbox',
      '--disable-gpu',
      // No background requests: the tests run offline, and count the page's own traffic.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${featuresOff.join(',')}`,
    ],
  }
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
