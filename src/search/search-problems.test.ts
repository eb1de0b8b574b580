import { describe, expect, it } from 'vitest'
import { listConditions, toExpression } from './expression.ts'
import { parseSearch } from './parse-search.ts'

const conditionsOf = (text: string) => listConditions(toExpression(parseSearch(text)))
const problemOf = (text: string) => {
  const [problem] = parseSearch(text).problems
  return problem && { token: text.slice(problem.start, problem.end), message: problem.message }
}

describe('a problem', () => {
  it.each([
    ['is:open x', 'is:open', /is accepts unresolved, .* not "open"/],
    ['is:for_review', 'is:for_review', /is accepts/],
    ['x level:loud', 'level:loud', /level accepts fatal, /],
    ['issue.priority:urgent', 'issue.priority:urgent', /issue.priority accepts high/],
    [
      'issue.type:performance_slow',
      'issue.type:performance_slow',
      /issue.type accepts error, feedback, cron, uptime and performance/,
    ],
    ['timesSeen:many', 'timesSeen:many', /timesSeen:>100/],
    ['firstSeen:yesterday', 'firstSeen:yesterday', /firstSeen:-24h/],
    ['age:yesterday', 'age:yesterday', /age:-24h/],
    ['lastSeen:>2026-13-01', 'lastSeen:>2026-13-01', /needs a time/],
    ['url:*a*b*c*d*e*f*', 'url:*a*b*c*d*e*f*', /at most 5 wildcards/],
    ['is:', 'is:', /needs a value directly after the colon, such as is:unresolved/],
    ['release:"web 1', 'release:"web', /closing quote after release/],
    ['level:[error fatal', 'level:[error', /Missing \]/],
    ['region:eu,', 'region:eu,', /each side of a comma/],
    ['=>', '=>', /no letter or digit/],
    ['has:a,b', 'has:a,b', /name of a tag/],
    ['has:level', 'has:level', /Every issue has level/],
    ['has:trace', 'has:trace', /cannot search for issues with any trace/],
    ['has:id', 'has:id', /Every issue has id/],
    ['trace:*', 'trace:*', /trace needs a complete ID/],
    ['has:bookmarks', 'has:bookmarks', /has no bookmarks/],
    ['assigned:#web', 'assigned:#web', /no teams/],
    ['error.unhandled:maybe', 'error.unhandled:maybe', /error.unhandled:true or/],
    ['id:123', 'id:123', /complete ID, such as id:4f1c/],
    ['issue:nothing', 'issue:nothing', /such as issue:WEB-1A/],
    ['release.version:>next', 'release.version:>next', /release.version:>=1.4.0/],
    ['release.build:>5', 'release.build:>5', /without >/],
  ])('of %s names the token and the correct form', (search, token, message) => {
    const problem = problemOf(search)
    expect(problem?.token).toBe(token)
    expect(problem?.message).toMatch(message)
  })

  it('reports the maximum number of terms once', () => {
    const search = Array.from({ length: 21 }, (_, index) => `word${index}`).join(' ')
    expect(problemOf(search)).toMatchObject({ token: 'word20', message: 'A search has at most 20 terms.' })
  })

  it('does not affect the other parts', () => {
    expect(conditionsOf('level:error is:open timeout')).toMatchObject([{ kind: 'level' }, { kind: 'text' }])
  })

  it('is every part after the twentieth, also in groups', () => {
    expect(parseSearch('a '.repeat(23)).problems).toHaveLength(3)
    expect(parseSearch('(a OR a) '.repeat(11)).problems).toHaveLength(2)
  })

  it('covers everything from the token that exceeds the maximum length', () => {
    const search = `level:error ${'x'.repeat(600)} y`
    expect(conditionsOf(search)).toMatchObject([{ kind: 'level' }])
    expect(parseSearch(search).problems).toMatchObject([{ start: 12, end: 614 }])
    expect(problemOf(search)?.message).toMatch(/at most 500 characters, and this one has 614/)
  })
})
