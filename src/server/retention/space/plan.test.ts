import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSpace, spaceKinds, sumOfSpace, type ProjectSpace, type SpaceKind } from './plan.ts'

function spaceOf(projectId: number, kinds: Partial<Record<SpaceKind, number>>, fixedBytes = 0): ProjectSpace {
  return { projectId, kinds: { outbox: 0, attachments: 0, deadLetters: 0, events: 0, ...kinds }, fixedBytes }
}

/** Kept bytes, rounded, by project; without projects that lose nothing. */
function plan(projects: ProjectSpace[], missingBytes: number) {
  return planSpace(projects, missingBytes).map(({ projectId, keep }) => ({
    projectId,
    keep: Object.fromEntries(
      Object.entries(keep).flatMap(([kind, bytes]) => (bytes < 0.5 ? [] : [[kind, Math.round(bytes)]])),
    ),
  }))
}

describe('planning the space to free', () => {
  it('deletes from the largest project only', () => {
    const projects = [spaceOf(1, { events: 337 }), spaceOf(2, { events: 1 }), spaceOf(3, { events: 50 })]
    expect(plan(projects, 200)).toEqual([{ projectId: 1, keep: { events: 137 } }])
  })

  it('levels several projects when one of them is not enough', () => {
    const projects = [spaceOf(1, { events: 300 }), spaceOf(2, { events: 100 }), spaceOf(3, { events: 10 })]
    expect(plan(projects, 250)).toEqual([
      { projectId: 1, keep: { events: 75 } },
      { projectId: 2, keep: { events: 75 } },
    ])
  })

  it('reaches every project in the end, the small ones last', () => {
    const projects = [spaceOf(1, { events: 300 }), spaceOf(2, { events: 10 })]
    expect(plan(projects, 308)).toEqual([
      { projectId: 1, keep: { events: 1 } },
      { projectId: 2, keep: { events: 1 } },
    ])
    expect(plan(projects, 1_000)).toEqual([
      { projectId: 1, keep: {} },
      { projectId: 2, keep: {} },
    ])
  })

  it('deletes the largest kinds first: after a flood of attachments, attachments', () => {
    const flooded = spaceOf(1, { outbox: 1_000, attachments: 1_000, events: 176 })
    const other = spaceOf(2, { events: 40 })
    expect(plan([flooded, other], 2_116)).toEqual([
      { projectId: 1, keep: { outbox: 20, attachments: 20, events: 20 } },
    ])
    expect(plan([flooded, other], 1_000)).toEqual([
      { projectId: 1, keep: { outbox: 500, attachments: 500, events: 176 } },
    ])
  })

  it('counts fixed bytes towards the share of their project', () => {
    const projects = [spaceOf(1, { events: 50 }, 100), spaceOf(2, { events: 90 })]
    expect(plan(projects, 40)).toEqual([{ projectId: 1, keep: { events: 10 } }])
    expect(plan(projects, 100)).toEqual([
      { projectId: 1, keep: {} },
      { projectId: 2, keep: { events: 40 } },
    ])
  })

  it('deletes nothing while enough space is free', () => {
    expect(planSpace([spaceOf(1, { events: 5 })], 0)).toEqual([])
    expect(planSpace([], 10)).toEqual([])
  })

  it('frees the missing bytes as far as possible, and spares every project below the level of the others', () => {
    const bytes = fc.integer({ min: 0, max: 1_000_000 })
    const kinds = fc.record({ outbox: bytes, attachments: bytes, deadLetters: bytes, events: bytes })
    const spaces = fc
      .array(fc.record({ kinds, fixedBytes: bytes }), { maxLength: 12 })
      .map((list) => list.map((each, at): ProjectSpace => ({ projectId: at, ...each })))
    fc.assert(
      fc.property(spaces, fc.integer({ min: 0, max: 8_000_000 }), (projects, missing) => {
        const targets = new Map(planSpace(projects, missing).map((target) => [target.projectId, target]))
        let freed = 0
        const kept = projects.map((project) => {
          const target = targets.get(project.projectId)
          if (target === undefined) return { ...project, gave: false }
          for (const kind of spaceKinds) {
            expect(target.keep[kind]).toBeLessThanOrEqual(project.kinds[kind])
            expect(target.keep[kind]).toBeGreaterThanOrEqual(0)
            freed += project.kinds[kind] - target.keep[kind]
          }
          return { ...project, kinds: target.keep, gave: true }
        })
        const givable = projects.reduce((sum, each) => sum + sumOfSpace(each) - each.fixedBytes, 0)
        expect(freed).toBeGreaterThanOrEqual(Math.min(missing, givable) - 1)
        expect(freed).toBeLessThanOrEqual(missing + 1)
        const highest = Math.max(0, ...kept.filter(({ gave }) => gave).map((each) => each.fixedBytes))
        const level = Math.max(highest, ...kept.filter(({ gave }) => gave).map(sumOfSpace))
        const spared = kept.filter(({ gave }) => !gave && targets.size > 0)
        for (const each of spared) expect(sumOfSpace(each)).toBeLessThanOrEqual(level + 1)
      }),
    )
  })
})
