import { LevelMark } from '#components/ui/level-mark.tsx'
import type { PaletteView } from '#server/console/palette/views.ts'
import type { PaletteEntry, PaletteGroup } from './palette.tsx'

/** The results of the server for the text of the palette. */
export function listFoundGroups(data: PaletteView | undefined): PaletteGroup[] {
  return [
    { title: 'Issues', entries: data?.issues.map(toIssueEntry) ?? [] },
    { title: 'Projects', entries: data?.projects.map(toProjectEntry) ?? [] },
    { title: 'Project settings', entries: data?.projectPages.map(toPageEntry) ?? [] },
    { title: 'Monitors', entries: data?.monitors.map(toMonitorEntry) ?? [] },
    { title: 'Documentation', entries: data?.guides.map(toGuideEntry) ?? [] },
  ]
}

function toIssueEntry({ id, shortId, title, subtitle, level }: PaletteView['issues'][number]): PaletteEntry {
  return {
    id: `issue-${id}`,
    mark: <LevelMark level={level} />,
    text: title,
    detail: [shortId, subtitle].filter((part) => part !== '').join(' · '),
    href: `/issues/${id}`,
  }
}

function toProjectEntry({ slug, name }: PaletteView['projects'][number]): PaletteEntry {
  return { id: `project-${slug}`, text: name, href: `/issues?project=${encodeURIComponent(slug)}` }
}

function toPageEntry({ slug, projectName, page, title }: PaletteView['projectPages'][number]): PaletteEntry {
  const path = `/projects/${encodeURIComponent(slug)}`
  return {
    id: `page-${slug}-${page}`,
    text: `${projectName}: ${title}`,
    href: page === 'general' ? path : `${path}/${page}`,
  }
}

function toMonitorEntry({
  slug,
  name,
  projectSlug,
  projectName,
}: PaletteView['monitors'][number]): PaletteEntry {
  return {
    id: `monitor-${projectSlug}-${slug}`,
    text: name,
    detail: projectName,
    href: `/monitors/${projectSlug}/${slug}`,
  }
}

function toGuideEntry({ name, title, section }: PaletteView['guides'][number]): PaletteEntry {
  return section === undefined
    ? { id: `guide-${name}`, text: title, href: `/docs/${name}` }
    : {
        id: `guide-${name}-${section.id}`,
        text: section.title,
        detail: title,
        href: `/docs/${name}#${section.id}`,
      }
}
