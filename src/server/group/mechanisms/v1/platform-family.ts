/** Platforms with the same format of frames, to which the same rules apply. */
export type PlatformFamily =
  | 'javascript'
  | 'native'
  | 'java'
  | 'csharp'
  | 'go'
  | 'dart'
  | 'php'
  | 'python'
  | 'ruby'
  | 'other'

const families: Record<string, PlatformFamily> = {
  javascript: 'javascript',
  node: 'javascript',
  native: 'native',
  c: 'native',
  cocoa: 'native',
  objc: 'native',
  swift: 'native',
  rust: 'native',
  java: 'java',
  csharp: 'csharp',
  go: 'go',
  dart: 'dart',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
}

/** The family of a platform's name in events and frames; `other` for an unknown one. */
export function platformFamily(platform: string): PlatformFamily {
  return Object.hasOwn(families, platform) ? (families[platform] ?? 'other') : 'other'
}
