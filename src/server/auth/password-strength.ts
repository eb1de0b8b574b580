import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core'
import { limits } from '#server/limits.ts'

/** Loaded on first use, because it takes 60 ms and 17 MB (measured). */
let estimator: Promise<ZxcvbnFactory> | undefined

async function createEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  // Its time grows at least quadratically with the length, so further characters, which only add strength,
  // are not evaluated.
  return new Factory({ dictionary, graphs: adjacencyGraphs, maxLength: limits.passwordEstimateCharacters })
}

/**
 * Why a password is easy to guess, as a message; undefined for a strong one. `words`: what an attacker knows
 * about the user, such as name and email address.
 */
export async function findPasswordWeakness(password: string, words: string[]): Promise<string | undefined> {
  estimator ??= createEstimator()
  const known = words
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word !== '')
  const result = (await estimator).check(password, known)
  // 3 of 4: more than 100 million guesses, 45 ms each for an attacker with a copy of the database.
  return result.score >= 3 ? undefined : toReason(result)
}

const repeated = 'It repeats the same characters.'
const inRow = 'It follows a row of keys or letters.'
const dated = 'It consists of a date.'

/** Reasons by the estimator's warnings. */
const reasons = new Map<string | null, string>([
  ['simpleRepeat', repeated],
  ['extendedRepeat', repeated],
  ['straightRow', inRow],
  ['keyPattern', inRow],
  ['sequences', inRow],
  ['dates', dated],
  ['recentYears', dated],
  ['userInputs', 'It consists of your name or email address.'],
])

function toReason({ feedback: { warning } }: ZxcvbnResult): string {
  return reasons.get(warning) ?? 'It is close to a password that many people use.'
}
