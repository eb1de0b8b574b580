/**
 * Flags of every npm command here. No package of ours needs an install script, so none may run; and errors
 * are told even below `npm run -s`, which hands its silence down to the npm commands inside.
 */
export const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
