import { expect, it } from 'vitest'
import { findDestination } from '#server/store/alerts/destinations.ts'
import { openTestStore } from '#test/test-store.ts'
import { addDestination, changeDestination, openDestination } from './manage-destinations.ts'

it('a changed destination keeps its optional secret, until it moves to another host', async () => {
  const keeper = { store: await openTestStore(), secret: undefined }
  const values = { topic: 'ops', serverUrl: 'https://ntfy.example', token: 'tk_abcdef' }
  const added = await addDestination(keeper, 1, { name: 'Ops', channel: 'ntfy', values })
  const reference = { organizationId: 1, destinationId: added.ok ? added.destinationId : '' }
  const change = async (serverUrl: string, topic: string) => {
    const changed = await changeDestination(keeper, reference, { name: 'Ops', values: { topic, serverUrl } })
    expect(changed).toMatchObject({ ok: true })
    const known = await findDestination(keeper.store.db, reference)
    return known && openDestination(keeper, known)
  }
  expect(await change('https://ntfy.example/', 'night')).toMatchObject({
    settings: { topic: 'night', serverUrl: 'https://ntfy.example/' },
    secret: '{"token":"tk_abcdef"}',
  })
  const moved = await change('https://evil.example', 'ops')
  expect(moved).toMatchObject({ settings: { topic: 'ops', serverUrl: 'https://evil.example' } })
  expect(moved?.secret).toBeUndefined()
})
