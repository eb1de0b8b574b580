import type { OxlintConfig, OxlintOverride } from 'oxlint'
import { databaseDrivers } from './database-drivers.ts'
import type { Layer } from './import-layer.ts'
import { layers } from './import-rules.ts'

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

const pureRules: OxlintOverride['rules'] = {
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

/** The part of `oxlint.config.ts` that denies every import that a layer does not list. */
export function importConfig(): OxlintConfig {
  return {
    plugins: ['eslint'],
    overrides: [...layers.flatMap((layer) => [ruleOf(layer), ...driverRulesOf(layer)]), programRule],
  }
}

function ruleOf(layer: Layer): OxlintOverride {
  return {
    files: layer.files.map((path) => `src/${path}`),
    ...(layer.except !== undefined && { excludeFiles: layer.except.map((path) => `src/${path}`) }),
    rules: {
      'no-restricted-imports': [
        'error',
        { ...(layer.isPure && { paths: purePackages }), patterns: patternsOf(layer) },
      ],
      ...(layer.isPure && pureRules),
    },
  }
}

/** The rules of the folders in a layer that may import a driver: those of the layer, except the driver. */
function driverRulesOf(layer: Layer): OxlintOverride[] {
  return databaseDrivers.flatMap(({ driver, folders }) =>
    folders
      .filter((folder) => layer.files.some((path) => `${folder}/`.startsWith(path.replace('**', ''))))
      .map((folder) => ({
        files: [`src/${folder}/**`],
        rules: { 'no-restricted-imports': ['error', { patterns: patternsOf(layer, driver) }] },
      })),
  )
}

/** Programs open databases through the store. */
const programRule: OxlintOverride = {
  files: ['bin/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      { paths: databaseDrivers.map(({ driver, folders }) => driverPath(driver, folders)) },
    ],
  },
}

function driverPath(name: string, folders: readonly string[]) {
  return { name, message: `Only ${folders.join(' and ')} import it.` }
}

/** The cells of the table "Import rules" in ARCHITECTURE.md. */
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

/** The paths of an entry of `may` or `types`, relative to `src`. */
export function pathsOf(entry: string): readonly string[] {
  return layerNamed(entry)?.files ?? [entry]
}

/** The files of a path that belong to another layer. */
function exceptionsOf(entry: string): readonly string[] {
  return layerNamed(entry)?.except ?? []
}

function layerNamed(entry: string): Layer | undefined {
  return layers.find(({ name }) => name === entry)
}

// In a group the last match wins, and "!" also allows what later patterns deny. So types come first, as a
// regular expression.
function patternsOf(layer: Layer, driver?: string): RestrictedPattern[] {
  const { name: layerName, types = [], packages, packageNames = [] } = layer
  const message = `${layerName} imports only what ARCHITECTURE.md lists ("Import rules").`
  const drivers = databaseDrivers.map((each) => each.driver).filter((name) => name !== driver)
  const denied =
    packages === 'none' ? ['**', '!./**'] : ['#*', '#*/**', '../**', ...deniedPackages[packages], ...drivers]
  const group = [
    ...denied,
    ...neighbours(layer),
    ...(layer.isClosed ? [] : ['!../**/app.config.ts']),
    ...pathsInOrder(layer).map(({ path, isAllowed }) => `${isAllowed ? '!' : ''}#${path}`),
    ...packageNames.map((path) => `!${path}`),
  ]
  return [
    ...types.flatMap(pathsOf).map((path) => ({
      regex: toRegex(`#${path}`),
      allowTypeImports: true as const,
      message: `${message} This one for its types.`,
    })),
    { group, message },
  ]
}

interface OrderedPath {
  path: string
  isAllowed: boolean
}

/**
 * The imports of a layer. A later path overrides an earlier one, so layers with the most exceptions come
 * first: files excepted from one belong to a layer with fewer.
 */
function pathsInOrder({ name, may, types = [] }: Layer): OrderedPath[] {
  return [name, ...may, ...types]
    .toSorted((a, b) => exceptionsOf(b).length - exceptionsOf(a).length)
    .flatMap((entry) => orderedPaths(pathsOf(entry), true).concat(orderedPaths(exceptionsOf(entry), false)))
}

function orderedPaths(paths: readonly string[], isAllowed: boolean): OrderedPath[] {
  return paths.flatMap(expandBraces).map((path) => ({ path, isAllowed }))
}

/** The same for `./`: the folder of a file can contain files of other layers. */
function neighbours(layer: Layer): string[] {
  const [root = ''] = /^[a-z/-]*\//.exec(layer.files[0] ?? '') ?? []
  const isFolder = layer.files.some((path) => path.endsWith('/**'))
  const inRoot = pathsInOrder(layer)
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, isAllowed }) => `${isAllowed ? '!' : ''}./${path.slice(root.length)}`)
  return isFolder ? inRoot : ['./**', ...inRoot]
}

function expandBraces(path: string): string[] {
  const [, before = '', inner, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? []
  if (inner === undefined) return [path]
  return inner.split(',').flatMap((each) => expandBraces(`${before}${each}${after}`))
}

const globTokens: Record<string, string> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '{': '(?:',
  ',': '|',
  '}': ')',
  '.': String.raw`\.`,
}

/** A regular expression that matches the same paths as a glob. */
export function toRegex(glob: string): string {
  return `^${glob.replaceAll(/\*\*\/|\*\*|[*{},.]/g, (token) => globTokens[token] ?? token)}$`
}
