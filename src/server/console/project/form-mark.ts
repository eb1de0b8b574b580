import { createHash } from 'node:crypto'
import type { FormRefusal } from '#server/auth/page-form.ts'
import type { ProjectPageView } from '#server/console/project-views.ts'
import type { ProjectDetails } from '#server/store/project-details.ts'
import { updateProjectSettings, type ProjectSettings } from '#server/store/project-settings.ts'
import type { ProjectForm } from './post.ts'

/** Stands for what a form showed: 16 hex digits, which any change of it changes. */
export function markOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)
}

/** The marks of the forms that all pages of a project have, for who may send them. */
export function listMarks({ name, slug, platform, settings }: ProjectDetails): ProjectPageView['marks'] {
  const { filters, allowedOrigins, grouping, scrubbing, rateLimits, spikeGuard, retention, forwarding } =
    settings
  return {
    naming: markOf([name, slug, platform]),
    filters: markOf(filters),
    allowedOrigins: markOf(allowedOrigins),
    grouping: markOf(grouping),
    scrubbing: markOf(scrubbing),
    rateLimits: markOf(rateLimits),
    spikeGuard: markOf(spikeGuard),
    retention: markOf(retention),
    forwarding: markOf(forwarding),
  }
}

/**
 * The refusal of a form that was filled in over something else than what is set by now; undefined where it was not. A form
 * without a mark is a script's, which says what it wants.
 */
export function refuseStale(fields: Record<string, string>, now: string): FormRefusal | undefined {
  const mark = fields['mark']
  if (mark === undefined || mark === now) return undefined
  return {
    kind: 'again',
    status: 409,
    values: fields,
    problems: [
      {
        message:
          'Nothing was saved: somebody else changed this after you opened the page. What you typed stands below. ' +
          'Save again to put it in the place of theirs.',
      },
    ],
  }
}

/** Changes one part of the settings, unless somebody else did since the form was shown: then the refusal. */
export async function changeSettings<Part extends keyof ProjectSettings>(
  { services, project, fields }: ProjectForm,
  part: Part,
  change: (before: ProjectSettings[Part]) => ProjectSettings[Part],
): Promise<FormRefusal | undefined> {
  let refusal: FormRefusal | undefined
  await updateProjectSettings(services.store, project.id, (settings) => {
    refusal = refuseStale(fields, markOf(settings[part]))
    return refusal === undefined ? { [part]: change(settings[part]) } : undefined
  })
  return refusal
}
