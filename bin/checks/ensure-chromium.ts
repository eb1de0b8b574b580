import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findSystemChromium, isExecutable } from '../chromium.ts'

const advice =
  'The end-to-end tests need Chromium. Install it with your system (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.'

const aptInstall = 'apt-get install -y --no-install-recommends'

/** Ways to install Chromium, preferred first: the package manager, then a download. */
const waysToInstall = [
  {
    name: 'apt-get install chromium-headless-shell',
    isPossible: isDebianRoot,
    command: [
      'sh',
      '-c',
      `apt-get update && (${aptInstall} chromium-headless-shell || ${aptInstall} chromium)`,
    ],
  },
  {
    name: 'playwright install chromium',
    isPossible: () => true,
    command: ['npx', 'playwright', 'install', 'chromium'],
  },
]

/** Installs a browser for the end-to-end tests if there is none. Throws with instructions if that fails. */
export async function ensureChromium(): Promise<void> {
  const chosen = process.env.CHROMIUM_PATH ?? ''
  if (chosen !== '' && !isExecutable(chosen))
    throw new Error(`CHROMIUM_PATH is ${chosen}: no program is there.`)
  let output = ''
  for (const { name, isPossible, command } of waysToInstall) {
    if (hasChromium()) return
    if (!isPossible()) continue
    console.log(`Installing a browser: ${name} …`)
    output += install(command)
  }
  if (!hasChromium()) throw new Error(`${output}\n${advice}`)
}

function hasChromium(): boolean {
  const found = findSystemChromium(process.env)
  return found === undefined ? existsSync(chromium.executablePath()) : isExecutable(found)
}

function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

function install([program = '', ...args]: string[]): string {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return `${stdout}${stderr}`
}
