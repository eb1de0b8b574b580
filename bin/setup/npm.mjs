/**
 * Flags of every npm command here. No dependency needs an install script, so none may run. Errors are printed
 * even under `npm run -s`, which nested npm commands inherit.
 */
export const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
