import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { findCodeOwnersLines, parseCodeOwners } from './code-owners.ts'
import { findOwners, findOwnerUser } from './find-owners.ts'
import { matchesGlob } from './glob.ts'
import { parseOwnershipRules } from './ownership-rules.ts'

const ownersOf = (file: string, path: string) =>
  findCodeOwnersLines(parseCodeOwners(file).lines, path).flatMap(({ owners }) => owners)

describe('CODEOWNERS', () => {
  it.each([
    ['*', 'a/b.ts', true],
    ['*.ts', 'src/a/b.ts', true],
    ['*.ts', 'b.js', false],
    ['/docs/', 'docs/a/b.md', true],
    ['/docs/', 'src/docs/b.md', false],
    ['docs/', 'src/docs/b.md', true],
    ['docs/*', 'docs/b.md', true],
    ['docs/*', 'docs/deep/b.md', false],
    ['apps', 'src/apps/b.ts', true],
    ['/apps/shop', 'apps/shop/src/b.ts', true],
    ['/apps/shop', 'apps/shopping/b.ts', false],
    ['**/logs', 'deep/logs/b.ts', true],
    ['/src/**/cart.ts', 'src/cart.ts', true],
    ['/src/**/cart.ts', 'src/a/b/cart.ts', true],
    ['/src/**', 'src/a/b.ts', true],
    ['my\\ docs/', 'my docs/b.md', true],
    ['src/?.ts', 'src/a.ts', true],
  ])('%s, for %s: %s', (pattern, path, isOwned) => {
    expect(ownersOf(`${pattern} @ada`, path)).toEqual(isOwned ? ['@ada'] : [])
  })

  it('uses the last matching line, in each of GitLab’s sections, with its default owners', () => {
    const file = `# all
* @everyone
/src/ ada@example.com @bo # the shop
/src/free/

[Docs][2] @docs
*.md
^[Database] @db
/src/sql/ @dba`
    expect(ownersOf(file, 'src/cart.ts')).toEqual(['ada@example.com', '@bo'])
    expect(ownersOf(file, 'src/free/cart.ts')).toEqual([])
    expect(ownersOf(file, 'src/sql/read.md')).toEqual(['ada@example.com', '@bo', '@docs', '@dba'])
  })

  it('reports invalid lines', () => {
    expect(parseCodeOwners('\n!a @x\na[0-9] @x\n/src ada\n').problems).toEqual([
      { line: 2, message: 'Exclusions (!) are not supported.' },
      { line: 3, message: 'Character ranges ([…]) are not supported.' },
      { line: 4, message: '"ada" is not an owner. Write an email address or a name with @.' },
    ])
  })
})

const find = (rules: string, subject: Partial<Parameters<typeof findOwners>[1]>) => {
  const { lines, problems } = parseOwnershipRules(rules)
  const codeOwners = parseCodeOwners('/packages/shop/ @code').lines
  const ownership = { rules: lines, codeOwners, roots: [{ from: '/app/', to: 'packages/shop/' }] }
  expect(problems).toEqual([])
  return findOwners(ownership, { paths: [], modules: [], tags: {}, ...subject })
}

describe('ownership rules', () => {
  it.each([
    ['path:src/*', { paths: ['x.ts', 'src/a/b.ts'] }],
    ['path:"my src/*"', { paths: ['my src/b.ts'] }],
    ['module:com.shop.*', { modules: ['com.shop.Cart'] }],
    ['url:https://shop.example/cart*', { url: 'https://shop.example/cart?id=1' }],
    ['tags.sku:shop-*', { tags: { sku: 'shop-7' } }],
  ])('%s matches', (rule, subject) => {
    expect(find(`${rule} ada@example.com #shop`, subject)?.owners).toEqual(['ada@example.com', '#shop'])
    expect(find(`${rule} ada@example.com`, {})).toBeUndefined()
  })

  it('apply from the last one, before CODEOWNERS, which applies from the nearest frame', () => {
    const rules = 'path:*.ts a@example.com\npath:*.js b@example.com'
    expect(find(rules, { paths: ['x.ts', 'x.js'] })).toEqual({
      owners: ['b@example.com'],
      source: 'rules',
      line: 2,
      text: 'path:*.js b@example.com',
    })
    const inCode = { paths: ['/usr/lib/x.go', '/app/x.go'] }
    expect(find(rules, inCode)).toMatchObject({ owners: ['@code'], source: 'codeowners', line: 1 })
  })

  it('report invalid lines', () => {
    const { problems } = parseOwnershipRules('src/* a@b.c\nfile:x a@b.c\npath:x\npath:x ada\n# path:x')
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  })

  it('are matched in linear time', () => {
    const startedAt = threadCpuMs()
    expect(matchesGlob('*a'.repeat(200), `${'a'.repeat(1_000)}b`)).toBe(false)
    expect(ownersOf(`${'**/a*a*/'.repeat(50)}x @x`, 'aa/'.repeat(150))).toEqual([])
    parseOwnershipRules(`path:${'"'.repeat(50_000)} ${'@'.repeat(50_000)}`)
    parseCodeOwners(`${'\\'.repeat(50_001)} @x\n${'['.repeat(50_000)}`)
    expect(threadCpuMs() - startedAt).toBeLessThan(1_000)
  })
})

describe('the user of an owner', () => {
  const users = [
    { userId: '1', name: 'Ada Lovelace', email: 'ada@example.com' },
    { userId: '2', name: 'Bo', email: 'bo@example.com' },
    { userId: '3', name: 'bo', email: 'bo2@example.com' },
  ]
  it.each([
    ['ADA@example.com', '1'],
    ['user:ada@example.com', '1'],
    ['@ada-lovelace', '1'],
    ['@Bo', undefined],
    ['#ada-lovelace', undefined],
    ['@acme/shop', undefined],
    ['@', undefined],
  ])('%s is %s', (owner, userId) => {
    expect(findOwnerUser(owner, users)?.userId).toBe(userId)
  })
})
