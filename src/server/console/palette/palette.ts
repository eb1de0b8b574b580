import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { listGuidesByWords } from '#server/console/guides/guides.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import {
  findIssueByNumber,
  listIssuesByName,
  listMonitorsByName,
  listProjectsByName,
} from '#server/store/issues/named-things.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { listPagesByWords } from './project-pages.ts'
import type { PaletteView } from './views.ts'

/**
 * The projects, issues, monitors and guides that match a text; without a text, the projects and the most
 * recent issues. At most five statements.
 */
export async function getPaletteView(
  services: Pick<Services, 'store'>,
  viewer: Viewer,
  text: string,
): Promise<PaletteView> {
  const { db } = services.store
  const projectIds = reachableProjects(viewer)
  const words = text.split(/\s+/).filter((word) => word !== '')
  const names = { projectIds, words: words.slice(0, limits.paletteWords), limit: limits.paletteEntries }
  const called = parseShortId(text)
  const [issues, projects, projectPages, monitors, issue] = await Promise.all([
    listIssuesByName(db, names),
    listProjectsByName(db, names),
    listPagesByWords(services, viewer, names.words),
    words.length > 0 ? listMonitorsByName(db, names) : [],
    called && findIssueByNumber(db, { projectIds, ...called }),
  ])
  const others = issues.filter(({ id }) => id !== issue?.id)
  const found = issue === undefined ? others : [issue, ...others].slice(0, names.limit)
  return {
    issues: found.map(toPaletteIssue),
    projects,
    projectPages,
    monitors,
    guides: listGuidesByWords(names.words),
  }
}

function toPaletteIssue({ id, shortId, title, subtitle, level }: IssueSummary) {
  return { id, shortId, title, subtitle, level }
}

/** `CHECKOUT-1A`: the project's slug and the issue's number in base 36. */
function parseShortId(text: string): { slug: string; number: number } | undefined {
  const [, slug, digits] = /^([\w-]{1,100})-([0-9a-z]{1,8})$/i.exec(text) ?? []
  if (slug === undefined || digits === undefined) return undefined
  return { slug: slug.toLowerCase(), number: Number.parseInt(digits, 36) }
}
