import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSourceRoot, readPastedRoot, readRepositoryUrl, readSourceRoot } from './source-link-input.ts'
import { codeHosts, findCommitInVersion, toSourceUrl, type SourceLinkSettings } from './source-link.ts'

const settings: SourceLinkSettings = {
  host: 'github',
  url: 'https://github.com/acme/shop',
  branch: 'main',
  roots: [{ from: '/app/', to: 'packages/shop/' }],
}
const commit = 'a'.repeat(40)

describe('the address of a line', () => {
  it.each([
    ['github', '/blob/main/src/cart.ts#L42'],
    ['gitlab', '/-/blob/main/src/cart.ts#L42'],
    ['gitea', '/src/branch/main/src/cart.ts#L42'],
    ['bitbucket', '/src/main/src/cart.ts#lines-42'],
  ] as const)('is that of %s', (host, path) => {
    const frame = { filename: './src/cart.ts', lineNumber: 42 }
    expect(toSourceUrl({ ...settings, host }, frame)).toBe(`https://github.com/acme/shop${path}`)
  })

  it('contains the commit of the release if it is known', () => {
    const frame = { filename: 'src/cart.ts', lineNumber: 1 }
    expect(toSourceUrl({ ...settings, host: 'gitea' }, frame, commit)).toBe(
      `https://github.com/acme/shop/src/commit/${commit}/src/cart.ts#L1`,
    )
    expect(toSourceUrl({ ...settings, host: 'gitea' }, frame, 'release/1')).toContain(
      '/src/branch/release/1/',
    )
    expect(findCommitInVersion(`shop@${commit}`)).toBe(commit)
    expect(findCommitInVersion(`shop@1.0.0+${commit}`)).toBe(commit)
    expect(findCommitInVersion('shop@1.0.0')).toBeUndefined()
  })

  it.each([
    ['/app/src/cart.ts', 'packages/shop/src/cart.ts'],
    ['webpack://shop/./src/cart.ts', 'src/cart.ts'],
    ['app:///src/cart.ts', 'src/cart.ts'],
    ['src\\Cart.cs', 'src/Cart.cs'],
    ['src/routes/$id (old)#1?.ts', 'src/routes/%24id%20%28old%29%231%3F.ts'],
  ])('of %s has the path %s', (absPath, path) => {
    expect(toSourceUrl(settings, { absPath })).toBe(`https://github.com/acme/shop/blob/main/${path}`)
  })

  it.each([
    '/usr/lib/node.js',
    'https://shop.example/app.js',
    'javascript:alert(1)',
    'node:internal/fs',
    '<anonymous>',
    '../secret.ts',
    '/app/../../etc/passwd',
    'src/../../x.ts',
    '',
    './',
    `src/${'a'.repeat(1_000)}.ts`,
  ])('is missing for %s', (filename) => {
    expect(toSourceUrl(settings, { filename })).toBeUndefined()
  })

  it('starts with the address of the repository whatever the event contains, and needs no escaping', () => {
    const anyPath = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webPath(),
      fc.string().map((path) => `/app/${path}`),
    )
    fc.assert(
      fc.property(anyPath, fc.constantFrom(...codeHosts), fc.nat(), (filename, host, lineNumber) => {
        const url = toSourceUrl({ ...settings, host }, { filename, lineNumber })
        if (url === undefined) return
        expect(url).toMatch(/^https:\/\/github\.com\/acme\/shop\/[\w\-.~%/]+#[\w-]+$/)
        expect(new URL(url).pathname.startsWith('/acme/shop/')).toBe(true)
      }),
    )
  })
})

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/shop.git', '', 'https://github.com/acme/shop', 'github'],
    ['https://gitlab.example.com/a/b/shop/', '', 'https://gitlab.example.com/a/b/shop', 'gitlab'],
    ['https://codeberg.org/acme/shop', '', 'https://codeberg.org/acme/shop', 'gitea'],
    ['http://git.intern:3000/acme/shop?tab=1#x', 'gitea', 'http://git.intern:3000/acme/shop', 'gitea'],
  ])('%s is read', (...[entered, chosen, url, host]) => {
    expect(readRepositoryUrl(entered, chosen)).toEqual({ ok: true, url, host })
  })

  it.each([
    ['acme/shop', /not an address/],
    ['git@github.com:acme/shop.git', /not an address/],
    ['ssh://git@github.com/acme/shop', /begins with ssh:/],
    ['javascript:alert(1)', /begins with javascript:/],
    ['https://me:secret@github.com/acme/shop', /Remove the user/],
    ['https://github.com/', /names no repository/],
    ['https://git.intern/acme/shop', /Choose the code host/],
  ])('%s is explained', (entered, problem) => {
    const read = readRepositoryUrl(entered, '')
    expect(!read.ok && read.problem).toMatch(problem)
  })
})

describe('a line of paths', () => {
  it.each([
    ['/app/src/cart.ts = packages/shop/src/cart.ts', { from: '/app/', to: 'packages/shop/' }],
    ['/app = packages/shop', { from: '/app/', to: 'packages/shop/' }],
    ['/app/ =', { from: '/app/', to: '' }],
    ['C:\\app\\Cart.cs = src/Cart.cs', { from: 'C:/app/', to: 'src/' }],
  ])('%s is read', (line, root) => {
    expect(readSourceRoot(line)).toEqual(root)
    expect(readSourceRoot(formatSourceRoot(root))).toEqual(root)
  })

  it.each([
    ['github', '/blob/main/packages/shop/src/cart%20(1).ts?plain=1#L42'],
    ['github', '/tree/main/packages/shop/src/cart%20(1).ts'],
    ['gitlab', '/-/blob/main/packages/shop/src/cart%20(1).ts#L42-44'],
    ['gitea', '/src/branch/main/packages/shop/src/cart%20(1).ts#L42'],
    ['gitea', `/src/commit/${commit}/packages/shop/src/cart%20(1).ts`],
    ['bitbucket', `/src/${commit}/packages/shop/src/cart%20(1).ts#lines-42`],
  ] as const)('of %s may have the address of a page: %s', (host, page) => {
    const line = `/app/src/cart (1).ts = https://github.com/Acme/shop${page}`
    const root = { from: '/app/', to: 'packages/shop/' }
    expect(readPastedRoot(line, { ...settings, host })).toEqual({ ok: true, root })
  })

  it('may have the address of a page on a branch with slashes, of a folder, or a path', () => {
    const onBranch = { ...settings, branch: 'release/1' }
    const root = { from: '/app/', to: 'packages/shop/' }
    for (const line of [
      '/app/a.ts = https://github.com/acme/shop/blob/release/1/packages/shop/a.ts',
      '/app = https://github.com/acme/shop/tree/main/packages/shop',
      '/app/ = packages/shop/',
    ])
      expect(readPastedRoot(line, onBranch)).toEqual({ ok: true, root })
  })

  it.each([
    [
      'https://github.com/acme/other/blob/main/src/cart.ts',
      /not a file of https:\/\/github\.com\/acme\/shop/,
    ],
    ['https://github.com/acme/shop-2/blob/main/src/cart.ts', /not a file of/],
    ['https://evil.test/acme/shop/blob/main/src/cart.ts', /not a file of/],
    ['https://github.com/acme/shop/issues/7', /not a file of/],
    ['https://github.com/acme/shop/blob/main', /not a file of/],
    ['https://github.com/acme/shop/blob/main/%zz/cart.ts', /not a file of/],
    ['https://github.com/acme/shop/blob/main/a%2F..%2F../src/cart.ts', /not a path in the repository/],
    ['https://github.com/acme/shop/blob/main/src/order.ts', /different names/],
    ['https://', /not a file of/],
  ])('with %s is explained', (address, problem) => {
    const read = readPastedRoot(`/app/src/cart.ts = ${address}`, settings)
    expect(!read.ok && read.problem).toMatch(problem)
    const without = readPastedRoot(`/app/src/cart.ts = ${address}`, { ...settings, url: '' })
    expect(!without.ok && without.problem).toContain('no repository is entered')
  })

  it.each(['/app', '= src', '/app = ../src'])('%s is invalid', (line) => {
    expect(readSourceRoot(line)).toBeUndefined()
  })
})
