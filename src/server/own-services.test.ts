import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { requireEnv } from './env.ts'
import { OperatorError, ReadOnlyDiskError } from './errors.ts'
import { createOwnServices } from './own-services.ts'
import { createServices } from './services.ts'

const logged: object[] = []
const log = { error: (facts: object) => void logged.push(facts) }
afterEach(() => logged.splice(0))

describe('createOwnServices', () => {
  it('opens once for simultaneous callers', async () => {
    const dataDir = await makeTestFolder()
    let openings = 0
    const find = createOwnServices({
      open() {
        openings += 1
        return createServices(requireEnv({ CULVERT_DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
      },
      log,
    })
    const [first, second] = await Promise.all([find(), find()])
    if (!first.isOpen || !second.isOpen) throw new Error('not open')
    onTestFinished(() => first.services.close())
    expect([openings, logged]).toEqual([1, []])
    expect(second.services).toBe(first.services)
  })

  it('warns on a serverless host if CULVERT_ORIGIN is not set', async () => {
    const warnings: string[] = []
    for (const origin of [undefined, 'https://culvert.example']) {
      const env = requireEnv({
        VERCEL: '1',
        CULVERT_DATA_DIR: await makeTestFolder(),
        LOG_LEVEL: 'silent',
        ...(origin && { CULVERT_ORIGIN: origin }),
      })
      const services = await createServices(env)
      onTestFinished(() => services.close())
      const noting = { ...services.log, warn: (_facts: object, text: string) => void warnings.push(text) }
      await createOwnServices({ open: () => Promise.resolve({ ...services, log: noting }), log })()
    }
    expect(warnings.filter((text) => text.includes('CULVERT_ORIGIN'))).toHaveLength(1)
  })

  it('retries after a failure, and logs each problem once', async () => {
    const problems = [
      new OperatorError('port'),
      new OperatorError('port'),
      new ReadOnlyDiskError('disk'),
      new TypeError('bug'),
    ]
    const find = createOwnServices({ open: () => Promise.reject(problems.shift() ?? new Error('none')), log })
    const reasons = [await find(), await find(), await find(), await find()]
    expect(reasons.map((own) => (own.isOpen ? 'open' : own.reason))).toEqual([
      'cannot_start',
      'cannot_start',
      'no_database',
      'cannot_start',
    ])
    expect(logged).toEqual([{ problem: 'port' }, { problem: 'disk' }, { err: new TypeError('bug') }])
  })
})
