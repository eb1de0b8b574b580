import { expect, it } from 'vitest'
import { findDestination } from '#server/store/alerts/destinations.ts'
import { openTestStore } from '#test/test-store.ts'
import { addDestination, changeDestination, openDestination } from './manage-destinations.ts'

it('a changed destination keeps its secret, but does not send it to another host', async () => {
  const keeper = { store: await openTestStore(), secret: undefined }
  const values = { topic: 'ops', serverUrl: 'https://ntfy.example', token: 'tk_abcdef' }
  const added = await addDestination(keeper, 1, { name: 'Ops', channel: 'ntfy', values })
  const reference = { organizationId: 1, destinationId: added.ok ? added.destinationId : '' }
  const change = (serverUrl: string, topic: string) =>
    changeDestination(keeper, reference, { name: 'Ops', values: { topic, serverUrl } })
  expect(await change('https://evil.example', 'ops')).toMatchObject({
    ok: false,
    problems: { token: expect.stringContaining('again') as string },
  })
  expect(await change('https://ntfy.example/', 'night')).toMatchObject({ ok: true })
  const known = await findDestination(keeper.store.db, reference)
  expect(known && (await openDestination(keeper, known))).toMatchObject({
    settings: { topic: 'night', serverUrl: 'https://ntfy.example/' },
    secret: '{"token":"tk_abcdef"}',
  })
})
