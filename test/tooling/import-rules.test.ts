import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lintFiles } from '#test/lint-files.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Imports that the table "Import rules" forbids and allows, by folder: a module, `type` and a module
 * for a type import, or a whole statement.
 */
const cases = {
  'src/protocol/envelope.ts': {
    forbidden: [
      '#server/limits.ts',
      'type #server/store/issues/records.ts',
      '../../app.config.ts',
      'node:fs/promises',
      'node:crypto',
      'valibot',
      "export { limits } from '#server/limits.ts'",
      "await import('#server/limits.ts')",
    ],
    allowed: ['./dsn.ts', '#protocol/dsn.ts'],
  },
  'src/time/time-zone.ts': {
    forbidden: ['#protocol/event.ts', 'node:fs', 'luxon'],
    allowed: ['./time-zone.ts'],
  },
  'src/server/normalize/normalize-event.ts': {
    forbidden: [
      '#server/store/store.ts',
      '#server/env.ts',
      'node:fs/promises',
      "import { randomUUID } from 'node:crypto'",
      'react',
      '../console/issues/issues.functions.ts',
    ],
    allowed: [
      '#server/limits.ts',
      'type #protocol/event.ts',
      '../../../app.config.ts',
      '#server/group/group-event.ts',
      "import { createHash } from 'node:crypto'",
    ],
  },
  'src/server/group/mechanisms/v1.ts': {
    forbidden: ['#server/store/store.ts', 'node:net'],
    allowed: ["import { createHash } from 'node:crypto'", './v1/frames.ts'],
  },
  'src/server/filter/filter-event.ts': {
    forbidden: ['#server/store/ingest/committer.ts'],
    allowed: ['#protocol/event.ts'],
  },
  'src/server/scrub/scrub-event.ts': {
    forbidden: ['#server/log.ts'],
    allowed: ['#server/limits.ts'],
  },
  'src/monitoring/noise-filter.ts': {
    forbidden: ['@sentry/browser', '#monitoring/browser.ts'],
    allowed: ['type #protocol/event.ts'],
  },
  'src/navigation/prefetch/prefetch-queue.ts': {
    forbidden: [
      '#framework/render-page.server.tsx',
      '#components/ui/badge.tsx',
      '#server/limits.ts',
      'node:fs/promises',
    ],
    allowed: ['../../app.config.ts', 'type @tanstack/react-router', '#navigation/page-kind.ts'],
  },
  'src/components/issue/stream/table.tsx': {
    forbidden: [
      '#server/console/issues/issues.search.ts',
      '#queries/issues/list.ts',
      '#routes/issues/index.tsx',
      '#server/limits.ts',
      '#server/console/issues/issues.functions.ts',
      'type #server/store/store.ts',
      '#server/store/issues/records.ts',
      '#protocol/dsn.ts',
      '@tanstack/react-query',
      '../../../server/console/issues/issues.functions.ts',
    ],
    allowed: [
      'type #server/store/issues/records.ts',
      'type #protocol/event.ts',
      '#components/ui/badge.tsx',
      './issue-row.tsx',
      '@tanstack/react-router',
      '#styles/features/event.css',
    ],
  },
  'src/components/ui/badge.tsx': {
    forbidden: [
      '#components/issue/stream/row.tsx',
      '#protocol/event.ts',
      'type #server/store/issues/records.ts',
      '#queries/issues/list.ts',
      '#server/limits.ts',
    ],
    allowed: ['#components/ui/time/time.tsx', '#time/time-zone.ts', 'type #protocol/event.ts', 'react'],
  },
  'src/queries/issues/list.ts': {
    forbidden: [
      '#server/store/issues/issues.ts',
      '#components/issue/stream/table.tsx',
      '#server/console/issues/issues.ts',
      '#server/store/issues/records.ts',
      '#monitoring/capture.server.ts',
    ],
    allowed: [
      '#server/console/issues/issues.functions.ts',
      'type #server/console/issues/issues.search.ts',
      '#navigation/page-kind.ts',
      '#monitoring/failure-of.ts',
      '@tanstack/react-query',
    ],
  },
  'src/routes/issues/index.tsx': {
    forbidden: [
      '#server/store/issues/issues.ts',
      '#server/ingest/receive/envelope.ts',
      '#server/services.ts',
      'node:fs/promises',
    ],
    allowed: [
      '#components/issue/stream/table.tsx',
      '#queries/issues/list.ts',
      '#navigation/page-kind.ts',
      '#server/console/issues/issues.search.ts',
    ],
  },
  'src/routes/readyz.ts': {
    forbidden: ['#components/ui/badge.tsx', '#server/store/issues/issues.ts'],
    allowed: ['#server/ingest/receive/envelope.ts', '#server/services.ts'],
  },
  'src/server/store/issues/issues.ts': {
    forbidden: [
      '#server/ingest/receive/envelope.ts',
      '#server/console/issues/issues.ts',
      '#server/http/read-body.ts',
      'type #server/services.ts',
      'node:http',
      '../limits.ts',
      'node:sqlite',
      'pg',
      'type pg',
    ],
    allowed: ['kysely', 'type #protocol/event.ts', '#server/limits.ts'],
  },
  'src/server/store/engine/sqlite/connection.ts': {
    forbidden: ['pg', 'node:http', '#server/services.ts'],
    allowed: ['node:sqlite', 'kysely', '#server/limits.ts'],
  },
  'src/server/store/engine/postgres/pool.ts': {
    forbidden: ['node:sqlite', 'node:http', '#server/services.ts'],
    allowed: ['pg', 'type pg', 'kysely', '#server/limits.ts'],
  },
  'src/server/retention/pacer.ts': {
    forbidden: ['node:sqlite', 'pg', "await import('pg')"],
    allowed: ['#server/store/store.ts'],
  },
  'bin/commands/migrate.ts': {
    forbidden: ['node:sqlite', 'pg'],
    allowed: ['#server/store/store.ts'],
  },
  'src/server/forms/form.ts': {
    forbidden: [
      '#server/console/forms/form-registry.ts',
      '#server/store/accounts/users.ts',
      '#server/auth/viewer.ts',
      'react',
    ],
    allowed: ['valibot', 'type #server/services.ts', 'type #server/auth/viewer.ts', './fields.ts'],
  },
  'src/server/rate-limit/token-bucket.ts': {
    forbidden: ['#server/store/projects/settings.ts'],
    allowed: ['type #server/store/projects/settings.ts'],
  },
  'src/server/data-dir/restore.ts': {
    forbidden: ['#server/ingest/receive/receive.ts', '#server/console/issues/issues.ts', 'node:http', 'pg'],
    allowed: ['#server/store/store.ts', '#server/errors.ts', 'node:fs', 'node:sqlite'],
  },
  'src/server/ingest/receive/envelope.ts': {
    forbidden: [
      '#server/console/issues/issues.ts',
      'react',
      'type #server/services.ts',
      '@tanstack/react-start',
    ],
    allowed: ['#server/store/ingest/committer.ts', '#server/group/group-event.ts'],
  },
  'src/server/console/issues/issues.ts': {
    forbidden: [
      '#monitoring/capture.server.ts',
      '#monitoring/sdk.server.ts',
      '@tanstack/react-router',
      '#server/ingest/receive/envelope.ts',
      '#server/services.ts',
      '#components/issue/stream/table.tsx',
    ],
    allowed: ['#server/store/issues/issues.ts', 'type #server/services.ts'],
  },
  'src/server/http/server.ts': {
    forbidden: ['#server/services.ts', '#components/failure/failure-page.tsx', '#test/temp-dir.ts'],
    allowed: ['#server/ingest/receive/envelope.ts'],
  },
  'src/server.ts': {
    forbidden: ['./server/store/issues/issues.ts', './components/ui/badge.tsx', '../bin/culvert.ts'],
    allowed: ['./server/services.ts', '#server/services.ts'],
  },
  'src/server/store/issues/issues.test.ts': {
    forbidden: [],
    allowed: ['../ingest/receive/envelope.ts', '#test/temp-dir.ts'],
  },
}

const forbidden = imports('forbidden')
const allowed = imports('allowed')

describe('the table "Import rules"', () => {
  let reported = new Set<string>()

  beforeAll(() => {
    const files = new Map<string, string>()
    for (const [file, lines] of Object.entries(cases)) {
      files.set(file, statements([...lines.forbidden, ...lines.allowed]).join('\n'))
    }
    reported = new Set(
      lintFiles(files)
        .filter(({ rule }) => rule === 'eslint(no-restricted-imports)')
        .map(({ file, line }) => `${file}:${line}`),
    )
  })

  it('is tested with existing files and modules', () => {
    const named = [...forbidden, ...allowed].flatMap(({ file, module }) => {
      const [, path] = /(#[a-z][^']*)'?$/.exec(module) ?? []
      return path === undefined
        ? [file]
        : [file, path.replace('#test/', 'test/support/').replace('#', 'src/')]
    })
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it.each(forbidden)('$file may not import $module', ({ file, line }) => {
    expect(reported).toContain(`${file}:${line}`)
  })

  it.each(allowed)('$file may import $module', ({ file, line }) => {
    expect(reported).not.toContain(`${file}:${line}`)
  })
})

/** Every import of one kind with its line: forbidden imports come first in their file. */
function imports(kind: 'forbidden' | 'allowed'): { file: string; module: string; line: number }[] {
  return Object.entries(cases).flatMap(([file, lines]) =>
    lines[kind].map((module, index) => ({
      file,
      module,
      line: 1 + index + (kind === 'forbidden' ? 0 : lines.forbidden.length),
    })),
  )
}

/** One line each, with a unique name, so that the file as a whole is valid. */
function statements(modules: string[]): string[] {
  return modules.map((module, index) => {
    if (/^(import|export|await) /.test(module)) return module
    const [, type = '', path = ''] = /^(type )?(.*)$/.exec(module) ?? []
    return `import ${type}{ name${index} } from '${path}'`
  })
}
