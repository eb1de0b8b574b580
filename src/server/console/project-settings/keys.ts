import * as v from 'valibot'
import { isNeededKey } from '#server/first-projects.ts'
import { rawText, nameText } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { markOf, rejectOutdated } from '#server/forms/mark.ts'
import { limits } from '#server/limits.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import {
  createProjectKey,
  listKeyRows,
  updateProjectKey,
  type KeyRow,
} from '#server/store/projects/key-changes.ts'
import { limitRowFields, readLimitRows, toLimitRows } from './limit-rows.ts'
import { done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const label = nameText('Enter a name for the key, such as Web or Backend.', limits.projectNameCharacters)

const addKey = projectForm(v.object({ label }), async ({ services, project, fields }) => {
  const keys = await listKeyRows(services.store.db, project.id)
  if (keys.length >= limits.keysPerProject) return tooManyKeys
  await createProjectKey(services.store, { projectId: project.id, label: fields.label, isActive: true })
  return done('Key added.')
})

const keyFields = v.object({ key: rawText, label, ...limitRowFields('limits').entries })

const saveKey = projectForm(keyFields, async ({ services, project, fields, mark }) => {
  const { key: publicKey, label: name, ...rows } = fields
  return withKey({ services, project, publicKey }, async ({ key }) => {
    const rateLimits = readLimitRows(rows, 'limits')
    if (!rateLimits.ok) return reject([{ field: 'limits', message: rateLimits.message }])
    const outdated = rejectOutdated(mark, markOf([key.label, key.settings.rateLimits]))
    if (outdated !== undefined) return outdated
    const settings = { ...key.settings, rateLimits: rateLimits.limits }
    await updateProjectKey(services.store, key.publicKey, { label: name, settings })
    return done('Key saved.')
  })
})

const switchKey = projectForm(
  v.object({ key: rawText, active: rawText }),
  async ({ services, project, fields }) =>
    withKey({ services, project, publicKey: fields.key }, async ({ key, keys }) => {
      const isActive = fields.active === 'true'
      if (!isActive && isNeededKey(key, keys))
        return reject(
          'Culvert reports its own errors with this key: add another key first, then disable this one.',
        )
      await updateProjectKey(services.store, key.publicKey, { isActive })
      return done(isActive ? 'Key enabled.' : 'Key disabled: requests with it are rejected.')
    }),
)

const rotateKey = projectForm(v.object({ key: rawText }), async ({ services, project, fields }) =>
  withKey({ services, project, publicKey: fields.key }, async ({ key, keys }) => {
    if (keys.length >= limits.keysPerProject) return tooManyKeys
    const name = nextLabel(key.label, keys)
    const settings = { rateLimits: key.settings.rateLimits }
    await createProjectKey(services.store, { projectId: project.id, label: name, settings, isActive: true })
    return done(`New key “${name}” added with the same limits. Disable the old one once no SDK uses it.`)
  }),
)

/** `Web (2)` for the successor of `Web`, or the next number that no key of the project has. */
function nextLabel(name: string, keys: readonly KeyRow[]): string {
  const [, base = name] = /^(.+) \(\d{1,3}\)$/.exec(name) ?? []
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`
    const next = base.slice(0, limits.projectNameCharacters - suffix.length) + suffix
    if (keys.every((each) => each.label !== next)) return next
  }
}

interface ChosenKey {
  key: KeyRow
  /** All keys of the project. */
  keys: KeyRow[]
}

async function withKey(
  { services, project, publicKey }: Pick<ProjectCall, 'services' | 'project'> & { publicKey: string },
  change: (chosen: ChosenKey) => Promise<FormOutcome>,
): Promise<FormOutcome> {
  const keys = await listKeyRows(services.store.db, project.id)
  const key = keys.find((each) => each.publicKey === publicKey)
  return key === undefined ? reject('This key no longer exists.') : change({ key, keys })
}

const tooManyKeys = reject(
  `A project has at most ${limits.keysPerProject} keys: enable and rename a disabled one.`,
)

/** The page "Keys". Two statements. */
export const keysPage = defineProjectPage({
  page: 'keys',
  title: 'Keys',
  permission: 'configure',
  view: async ({ services, project }) => {
    const rows = await listKeyRows(services.store.db, project.id)
    return {
      keys: rows.map(({ publicKey, label: name, isActive, createdAt, settings }) => ({
        publicKey,
        label: name,
        isActive,
        createdAt,
        dsn: toProjectDsn(services.publicOrigin, { publicKey, projectId: project.id }),
        limits: toLimitRows(settings.rateLimits),
        mark: markOf([name, settings.rateLimits]),
      })),
    }
  },
  forms: { add: addKey, save: saveKey, switch: switchKey, rotate: rotateKey },
})
