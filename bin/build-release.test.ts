import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createTempDir } from '#test/temp-dir.ts'
import { readBuildRelease } from './build-release.ts'

const modulePath = new URL('build-release.ts', import.meta.url).href

/** The release of a build in that folder without any variable. */
function releaseIn(folder: string): string {
  const script = `import { readBuildRelease } from '${modulePath}'; process.stdout.write(readBuildRelease({}))`
  const args = ['--input-type=module', '--eval', script]
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
}

describe('readBuildRelease', () => {
  it('prefers SENTRY_RELEASE to a commit', () => {
    expect(readBuildRelease({ GITHUB_SHA: 'c0ffee', SENTRY_RELEASE: 'culvert@1.2.3' })).toBe('culvert@1.2.3')
  })

  it.each([
    'GITHUB_SHA',
    'VERCEL_GIT_COMMIT_SHA',
    'CI_COMMIT_SHA',
    'CIRCLE_SHA1',
    'BITBUCKET_COMMIT',
    'RENDER_GIT_COMMIT',
    'SOURCE_VERSION',
  ])('uses the commit in %s when SENTRY_RELEASE is blank', (name) => {
    expect(readBuildRelease({ SENTRY_RELEASE: ' ', [name]: 'c0ffee\n' })).toBe('c0ffee')
  })

  it("falls back to the commit of git, then to 'unreleased'", async () => {
    const folder = await createTempDir()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder.path,
        encoding: 'utf8',
      })
    try {
      expect(releaseIn(folder.path)).toBe('unreleased')
      git('init', '--quiet')
      git('commit', '--quiet', '--allow-empty', '--message', 'First')
      expect(releaseIn(folder.path)).toBe(git('rev-parse', '--short=12', 'HEAD').trim())
    } finally {
      await folder.remove()
    }
  })
})
