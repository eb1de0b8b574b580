import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { defaultProjectSettings, updateProjectSettings } from '#server/store/projects/settings.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { createProjectKeys } from './project-keys.ts'

let dir: string
let store: Store
let elsewhere: Store
let now = 0
let statementCount = 0
let failure: Error | undefined
beforeEach(async () => {
  dir = await makeTestFolder()
  const path = `${dir}/culvert.db`
  failure = undefined
  const onStatement = () => {
    statementCount++
    if (failure !== undefined) throw failure
  }
  store = await openStore({ path, clock: () => now, onStatement })
  elsewhere = await openStore({ path, clock: () => now })
})
afterEach(async () => {
  await store.close()
  await elsewhere.close()
})

const key = 'a'.repeat(32)

describe('project keys', () => {
  it('include a new key of another process immediately', async () => {
    const keys = await createProjectKeys(store)
    expect(await keys.find(key)).toBeUndefined()
    await createProject(elsewhere, { name: 'a', id: 42, publicKey: key })
    expect(await keys.find(key)).toMatchObject({ publicKey: key, projectId: 42, isActive: true })
  })

  it('exclude a key that another process disabled after a second', async () => {
    await createProject(elsewhere, { name: 'a', id: 42, publicKey: key })
    const keys = await createProjectKeys(store)
    await elsewhere.writer.updateTable('project_keys').set({ is_active: 0 }).execute()
    now += limits.projectKeysMaxAgeMs
    expect(await keys.find(key)).toMatchObject({ isActive: false })
    expect(await keys.findOfProject(42)).toBeUndefined()
  })

  it('include the settings of their project, and changes of another process', async () => {
    await createProject(elsewhere, { name: 'a', id: 42, publicKey: key })
    const keys = await createProjectKeys(store)
    expect((await keys.find(key))?.settings).toEqual(defaultProjectSettings)
    await updateProjectSettings(elsewhere, 42, () => ({ allowedOrigins: ['example.com'] }))
    now += limits.projectKeysMaxAgeMs
    expect((await keys.find(key))?.settings.allowedOrigins).toEqual(['example.com'])
  })

  it('are read again after a failed read, even if nothing was written since', async () => {
    await createProject(elsewhere, { name: 'a', id: 42, publicKey: key })
    const keys = await createProjectKeys(store)
    await elsewhere.writer.updateTable('project_keys').set({ is_active: 0 }).execute()
    failure = new Error('the read fails')
    now += limits.projectKeysMaxAgeMs
    expect(await keys.find(key)).toMatchObject({ isActive: true })
    failure = undefined
    now += limits.projectKeysMaxAgeMs
    expect(await keys.find(key)).toMatchObject({ isActive: false })
  })

  it('stay valid for a minute while they cannot be read, unlike unknown ones', async () => {
    await createProject(elsewhere, { name: 'a', id: 42, publicKey: key })
    const keys = await createProjectKeys(store)
    await elsewhere.writer.updateTable('project_keys').set({ is_active: 0 }).execute()
    failure = new Error('the read fails')
    for (let second = 1; second < limits.projectKeysTrustedMs / 1000; second += 1) {
      now += 1_000
      expect(await keys.find(key)).toMatchObject({ publicKey: key })
      expect(await keys.findOfProject(42)).toMatchObject({ publicKey: key })
      await expect(keys.find('b'.repeat(32))).rejects.toThrow('the read fails')
    }
    now += 1_000
    await expect(keys.find(key)).rejects.toThrow('the read fails')
    await expect(keys.findOfProject(42)).rejects.toThrow('the read fails')
    failure = undefined
    expect(await keys.find(key)).toMatchObject({ isActive: false })
  })

  it('include a change of this process after a refresh', async () => {
    const keys = await createProjectKeys(store)
    await createProject(store, { name: 'a', id: 42, publicKey: key })
    await keys.refresh()
    expect(await keys.find(key)).toMatchObject({ projectId: 42 })
  })

  it('are not read again while nothing changes, even for many unknown keys', async () => {
    const keys = await createProjectKeys(store)
    const before = statementCount
    for (let attempt = 0; attempt < 100; attempt++) {
      now += limits.projectKeysMaxAgeMs
      await keys.find(String(attempt))
    }
    expect(statementCount).toBe(before)
  })
})
