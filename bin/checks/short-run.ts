const variable = 'CULVERT_TEST_SHORT'

/** Variables of the environment with which the suites skip the tests tagged `full`. */
export const shortRun: Record<string, string> = { [variable]: '1' }

/** True in `npm test` without `--full`. Tests that are run alone, by their file, run in full. */
export const isShortRun = process.env[variable] === '1'
