import { expect, it } from 'vitest'
import { requireEnv } from '#server/env.ts'
import { openTestStore, testViewer } from '#test/test-store.ts'
import { getNotificationSettingsView } from './notification-settings.ts'

it('notification settings list the projects by name, as the other screens do', async () => {
  const store = await openTestStore()
  const services = { store, clock: store.clock, env: requireEnv({}), publicOrigin: 'http://culvert.example' }
  const { projects } = await getNotificationSettingsView(services, testViewer)
  expect(projects.map(({ name }) => name)).toEqual(['Api', 'Web'])
})
