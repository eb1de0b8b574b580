import { describe, expect, it } from 'vitest'
import { listFoundGroups } from './found-groups.tsx'

const monitorOf = (projectName: string) => ({
  slug: 'nightly',
  name: 'Nightly',
  projectSlug: projectName.toLowerCase(),
  projectName,
})

describe('the monitors in the palette', () => {
  it('show their project, because monitors of several projects can have the same name', () => {
    const groups = listFoundGroups({
      issues: [],
      projects: [],
      projectPages: [],
      monitors: [monitorOf('Shop'), monitorOf('Blog')],
      guides: [],
    })
    const entries = groups.flatMap((group) => group.entries)
    expect(entries.map(({ text, detail }) => [text, detail])).toEqual([
      ['Nightly', 'Shop'],
      ['Nightly', 'Blog'],
    ])
  })
})
