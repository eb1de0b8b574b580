import { layers, type Layer } from './import-rules.ts'

interface RestrictedPattern {
  regex?: string
  group?: string[]
  allowTypeImports?: true
  message: string
}

const deniedPackages: Record<Exclude<Layer['packages'], 'none'>, readonly string[]> = {
  browser: ['node:*', 'node:*/**'],
  components: [
    'node:*',
    'node:*/**',
    '@tanstack/react-query',
    '@tanstack/react-start',
    '@tanstack/react-start/**',
  ],
  server: ['react', 'react-dom', 'react-dom/**', '@tanstack/**'],
  store: ['react', 'react-dom', 'react-dom/**', '@tanstack/**', 'node:http', 'node:https', 'node:net'],
  start: ['react', 'react-dom', 'react-dom/**', '@tanstack/react-router', '@tanstack/react-query'],
  any: [],
}

const pureRules = {
  'no-restricted-globals': [
    'error',
    'process',
    'fetch',
    'setTimeout',
    'setInterval',
    'crypto',
    'performance',
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'The clock is a parameter.' },
    { object: 'Math', property: 'random', message: 'Randomness is a parameter.' },
  ],
}

const purePackages = [
  {
    name: 'node:crypto',
    allowImportNames: ['createHash', 'hash'],
    message: 'Hashing is pure, randomness is not.',
  },
  {
    name: 'node:net',
    allowImportNames: ['BlockList', 'isIP'],
    message: 'Addresses are pure, sockets are not.',
  },
]

/** The content of `.oxlintrc.imports.json`: everything is denied that a layer does not list. */
export function importConfig() {
  return {
    $schema: './node_modules/oxlint/configuration_schema.json',
    plugins: ['eslint'],
    overrides: layers.map((layer) => ({
      files: layer.files.map((path) => `src/${path}`),
      ...(layer.except !== undefined && { excludeFiles: layer.except.map((path) => `src/${path}`) }),
      rules: {
        'no-restricted-imports': [
          'error',
          { ...(layer.isPure && { paths: purePackages }), patterns: patternsOf(layer) },
        ],
        ...(layer.isPure && pureRules),
      },
    })),
  }
}

/** The lines of the table "Who may import whom" in ARCHITECTURE.md, as cells. */
export function importTable(): string[][] {
  return layers.map(({ name, may, types = [], packages, packageNames }) => [
    list([name]),
    may.length === 0 ? '–' : list(may),
    types.length === 0 ? '–' : list(types),
    packageNames === undefined ? packages : list(packageNames),
  ])
}

/** `a`, `b` */
function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** The paths of the files that an entry of `may` or `types` stands for, relative to `src`. */
export function pathsOf(entry: string): readonly string[] {
  return layers.find(({ name }) => name === entry)?.files ?? [entry]
}

// In a group the last match decides, and "!" allows: for every later pattern too. So types come first, as a
// regex.
function patternsOf(layer: Layer): RestrictedPattern[] {
  const { name, types = [], packages, packageNames = [] } = layer
  const message = `${name} imports only what ARCHITECTURE.md lists ("Who may import whom").`
  const typed = types.flatMap(pathsOf)
  const allowed = [...layer.files, ...layer.may.flatMap(pathsOf), ...typed].flatMap(expandBraces)
  // Beside these files are others: an import of a neighbour is no import of the same folder.
  const isBesideOthers = layer.files.some((path) => /^server\/[^/]*$/.test(path))
  const own = isBesideOthers
    ? [
        './**',
        ...allowed
          .filter((path) => path.startsWith('server/'))
          .map((path) => `!${path.replace('server/', './')}`),
      ]
    : []
  const denied = packages === 'none' ? ['**', '!./**'] : ['#*/**', '../**', ...deniedPackages[packages]]
  const group = [
    ...denied,
    ...own,
    ...(layer.isClosed ? [] : ['!../**/app.config.ts']),
    ...allowed.map((path) => `!#${path}`),
    ...packageNames.map((path) => `!${path}`),
  ]
  return [
    ...typed.flatMap(expandBraces).map((path) => ({
      regex: toRegex(path),
      allowTypeImports: true as const,
      message: `${message} This one for its types.`,
    })),
    { group, message },
  ]
}

function expandBraces(path: string): string[] {
  const [, before = '', inner, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? []
  if (inner === undefined) return [path]
  return inner.split(',').flatMap((each) => expandBraces(`${before}${each}${after}`))
}

function toRegex(path: string): string {
  const body = path
    .replaceAll('.', String.raw`\.`)
    .replaceAll('/**/', '/(.*/)?')
    .replace(/\/\*\*$/, '/.*')
    .replace(/(^|\/)\*([^*])/, '$1[^/]*$2')
  return `^#${body}$`
}
