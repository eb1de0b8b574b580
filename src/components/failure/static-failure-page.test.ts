import { describe, expect, it } from 'vitest'
import { renderStaticFailurePage } from './static-failure-page.ts'

describe('renderStaticFailurePage', () => {
  it('is a whole document with heading, sentence and digest', () => {
    const html = renderStaticFailurePage({ kind: 'server', digest: '3f9a1c0477be' })
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).toContain('role="alert"')
    expect(html).toContain('Application error')
    expect(html).toContain('A server-side exception has occurred while loading this page.')
    expect(html).toContain('Digest: <code>3f9a1c0477be</code>')
  })

  it('omits the digest when there is none', () => {
    expect(renderStaticFailurePage({ kind: 'client' })).not.toContain('Digest')
  })

  it('includes styles only with a nonce, and neither scripts nor style attributes', () => {
    expect(renderStaticFailurePage({ kind: 'server' })).not.toContain('<style')
    const html = renderStaticFailurePage({ kind: 'server', nonce: 'n0nce' })
    expect(html).toContain('<style nonce="n0nce">')
    expect(html).not.toMatch(/<script| style=/)
  })

  it('links to the event for signed-in users only', () => {
    const failure = { kind: 'server', digest: '3f9a1c0477be' } as const
    expect(renderStaticFailurePage({ ...failure, isSignedIn: true })).toContain('href="/digest/3f9a1c0477be"')
    expect(renderStaticFailurePage(failure)).not.toContain('/digest/')
    expect(renderStaticFailurePage({ kind: 'server', isSignedIn: true })).not.toContain('/digest/')
  })

  it('shows the time in seconds', () => {
    const at = Date.UTC(2026, 10, 30, 20, 50, 30, 123)
    expect(renderStaticFailurePage({ kind: 'server', at })).toContain(
      '<time datetime="2026-11-30T20:50:30.123Z">2026-11-30 20:50:30 UTC</time>',
    )
    expect(renderStaticFailurePage({ kind: 'server' })).not.toContain('<time')
  })

  it('names the release', () => {
    expect(renderStaticFailurePage({ kind: 'server', release: 'culvert@1.2.3' })).toContain(
      'Culvert culvert@1.2.3',
    )
  })

  it('escapes every value', () => {
    const hostile = { digest: '<script>', nonce: '"><script>', release: '<script>', postedFrom: '"><script>' }
    const html = renderStaticFailurePage({ kind: 'server', isSignedIn: true, ...hostile })
    expect(html).not.toContain('<script>')
  })
})
