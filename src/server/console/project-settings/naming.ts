import * as v from 'valibot'
import { text } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'
import { isProjectSlug } from '#server/store/projects/projects.ts'

const name = v.pipe(
  text,
  v.nonEmpty('Enter a name for the project.'),
  v.maxLength(
    limits.projectNameCharacters,
    ({ received }) => `Shorten the name to ${limits.projectNameCharacters} characters; it has ${received}.`,
  ),
)

const slugText =
  `Use lower-case letters a to z, digits and single hyphens, at most ${limits.projectSlugCharacters} characters, ` +
  'such as web-shop. "new" is reserved.'

const platform = v.pipe(
  text,
  v.check((value) => /^[\w.-]{0,64}$/.test(value), 'Choose a platform from the list.'),
  v.transform((value) => (value === '' ? undefined : value)),
)

/** The fields with a project's name, slug and platform. */
export const namingFields = v.object({
  name,
  slug: v.pipe(text, v.check(isProjectSlug, slugText)),
  platform,
})

/** The same for a new project, whose slug is derived from the name if it is empty. */
export const newNamingFields = v.object({
  name,
  slug: v.pipe(
    text,
    v.check((value) => value === '' || isProjectSlug(value), slugText),
  ),
  platform,
})

/** The error message if another project has the slug. */
export function slugInUseText(slug: string): string {
  return `Another project has the slug ${slug}: choose another one.`
}
