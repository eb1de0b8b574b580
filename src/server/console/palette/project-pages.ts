import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { projectPages } from '#server/console/project-settings/pages.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listProjectsByName } from '#server/store/issues/named-things.ts'
import type { PaletteView } from './views.ts'

/** Shorter words match projects rather than pages. */
const pageWordCharacters = 3

/** The page for "settings" without another word. */
const firstPage = 'general'

/**
 * The settings pages that words name: words that begin a word of a page's title, or "settings", select the
 * pages; the others select the projects. One statement, or none without a word for a page.
 */
export async function listPagesByWords(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
  words: readonly string[],
): Promise<PaletteView['projectPages']> {
  const pages = Object.values(projectPages)
  const lowered = words.map((word) => word.toLowerCase())
  const titleWords = lowered.filter((word) => pages.some(({ title }) => isInTitle(word, title)))
  const nameWords = lowered.filter((word) => !titleWords.includes(word) && !isSettingsWord(word))
  if (nameWords.length === lowered.length) return []
  const chosen = pages.filter(({ page, title }) =>
    titleWords.length === 0 ? page === firstPage : titleWords.every((word) => isInTitle(word, title)),
  )
  const projects = await listProjectsByName(db, {
    projectIds: reachableProjects(viewer),
    words: nameWords,
    limit: limits.paletteEntries,
  })
  return chosen
    .flatMap(({ page, title, permission }) => {
      const allowed = projectsWith(viewer, permission)
      return projects
        .filter(({ id }) => allowed.includes(id))
        .map(({ slug, name }) => ({ slug, projectName: name, page, title }))
    })
    .slice(0, limits.paletteEntries)
}

function isSettingsWord(word: string): boolean {
  return word.length >= pageWordCharacters && 'settings'.startsWith(word)
}

function isInTitle(word: string, title: string): boolean {
  return (
    word.length >= pageWordCharacters &&
    title
      .toLowerCase()
      .split(' ')
      .some((each) => each.startsWith(word))
  )
}
