import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCulvert } from './projects.ts'

const everyTime = { isEnabled: true, throttleMs: 0, filters: [] }
const members = [{ kind: 'members' }]

/** Alert rules of the shop, in the format of `culvert rule import`; their projects exist already. */
const rules = [
  {
    ...everyTime,
    project: 'shop-api',
    name: 'Busy errors in production',
    transitions: ['threshold', 'normal'],
    threshold: { of: 'events', atLeast: 20, unit: 'count', windowMs: 300_000 },
    filters: [{ kind: 'environment', is: true, value: 'production' }],
    throttleMs: 3_600_000,
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', lettingFatal: true },
    actions: members,
  },
  { ...everyTime, project: null, name: 'Releases', transitions: ['release'], actions: members },
  { ...everyTime, project: null, name: 'First events', transitions: ['first_event'], actions: members },
  {
    ...everyTime,
    project: 'shop-web',
    name: 'Crashing releases',
    transitions: ['crash_free', 'crash_free_normal'],
    crashFree: { of: 'sessions', below: 99, isOfRelease: true, windowMs: 86_400_000, atLeast: 20 },
    actions: members,
  },
]

/** Creates or replaces the rules of the shop, which then fill the inbox of every member. */
export async function ensureShopRules(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'culvert-demo-'))
  try {
    const file = join(folder, 'rules.json')
    await writeFile(file, JSON.stringify(rules))
    await runCulvert(['rule', 'import', file])
  } finally {
    await rm(folder, { recursive: true })
  }
}
