import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type Store } from '#server/store/store.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { createProject } from './projects.ts'
import {
  defaultProjectSettings,
  parseKeySettings,
  parseProjectSettings,
  updateProjectSettings,
} from './settings.ts'

let dir: string
let store: Store
beforeEach(async () => {
  dir = await makeTestFolder()
  store = await openStore({ path: `${dir}/culvert.db`, clock: () => 0 })
  await createProject(store, { name: 'a', id: 42 })
})
afterEach(async () => {
  await store.close()
})

async function readDocument(): Promise<unknown> {
  const row = await store.db
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', 42)
    .executeTakeFirstOrThrow()
  return JSON.parse(row.settings)
}

describe('settings of a project', () => {
  it.each(['', 'null', '[]', '{', '"x"', '{"spikeProtection":7,"rateLimits":{"project":{"errors":{}}}}'])(
    'read from %j are the defaults',
    (text) => {
      expect(parseProjectSettings(text)).toEqual(defaultProjectSettings)
    },
  )

  it('that cannot be parsed do not affect other parts', () => {
    const settings = parseProjectSettings(
      '{"spikeProtection":{"fullEvents":-1},"allowedOrigins":["example.com"]}',
    )
    expect(settings).toEqual({ ...defaultProjectSettings, allowedOrigins: ['example.com'] })
  })

  it('keep only what differs from the defaults', async () => {
    const { spikeProtection } = defaultProjectSettings
    const settings = await updateProjectSettings(store, 42, () => ({
      spikeProtection: { ...spikeProtection, fullEvents: 5 },
    }))
    expect(settings).toEqual({
      ...defaultProjectSettings,
      spikeProtection: { ...spikeProtection, fullEvents: 5 },
    })
    expect(await readDocument()).toEqual({ spikeProtection: { fullEvents: 5 } })
    await updateProjectSettings(store, 42, () => ({ spikeProtection }))
    expect(await readDocument()).toEqual({})
  })

  it('are changed without affecting others, including unknown ones', async () => {
    await store.writer
      .updateTable('projects')
      .set({ settings: '{"allowedOrigins":["a.example"],"futurePart":{"x":1}}' })
      .execute()
    const limited = { error: { quantity: 1, windowSeconds: 60 } }
    await updateProjectSettings(store, 42, ({ rateLimits }) => ({
      rateLimits: { ...rateLimits, project: limited },
    }))
    expect(await readDocument()).toEqual({
      allowedOrigins: ['a.example'],
      futurePart: { x: 1 },
      rateLimits: { project: limited },
    })
  })

  it('are rejected for a project that does not exist', async () => {
    await expect(updateProjectSettings(store, 43, () => ({}))).rejects.toThrow('no result')
  })
})

describe('settings of a key', () => {
  it('are the limits of the project, or none', () => {
    const error = { quantity: 0, windowSeconds: 1 }
    expect(parseKeySettings(JSON.stringify({ rateLimits: { error } }))).toEqual({ rateLimits: { error } })
    expect(parseKeySettings('{"rateLimits":{"error":{"quantity":1e300,"windowSeconds":1}}}')).toEqual({
      rateLimits: {},
    })
  })
})
