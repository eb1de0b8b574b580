import { OperatorError } from '#server/errors.ts'
import { isHelpOption, type Command } from './command.ts'

const text = `Usage: culvert COMMAND

  start [--ingest-only]                  run the server; --ingest-only serves ingest without the console
  project add NAME [--id N] [--key KEY]  make a project and print its DSN
  project list [--json]                  print every project with its DSN
  project delete PROJECT --confirm SLUG  delete a project with everything that it has stored, for good
  key add PROJECT [--key KEY] [--label TEXT] [--disabled]
                                         make another key of a project and print its DSN
  key list [PROJECT] [--json]            print the keys of a project, or of all
  key disable KEY, key enable KEY        refuse what is sent with a key, or take it again
  limits show PROJECT [--json]           print what limits a project
  limits set PROJECT OPTIONS             change it; without options it says which there are
  retention show [PROJECT] [--json]      print how much each project keeps
  retention set PROJECT OPTIONS          change it; without options it says which there are
  retention run [--dry-run] [--trust-clock]
                                         delete what is too old or too much now; the server does it every hour
  scrubbing show PROJECT [--json]        print what is taken out of a project's events before they are stored
  scrubbing set PROJECT OPTIONS          change it; without options it says which there are
  upstream add PROJECT DSN [--organization N [--region xx]] [--connect HOST:PORT] [--errors-only] [--forward-only]
                                         send what a project gets on to another error-reporting service
  upstream list [PROJECT] [--json]       print where projects send on to, and what waits
  upstream pause PROJECT [DSN], upstream resume PROJECT [DSN]
                                         let what comes wait, or send it again
  upstream remove PROJECT [DSN]          send on no more; what waits is given up
  upstream mode PROJECT both|forward-only
                                         store what comes here too, or only send it on
  backup FILE [--force]                  copy the database into one checked file; works while the server runs
  restore FILE                           put a backup in the place of the database, which is kept; stop the server first
  doctor                                 look through the data and the settings; ends with 1 when something is wrong
  dead-letters list [--json]             items on which Culvert itself failed, kept as they came
  dead-letters retry LETTER… | --all     take them in again, after a fix
  dead-letters delete LETTER…            delete them for good
  user add EMAIL [--name NAME] [--role ROLE] [--password-stdin]
                                         make an account; prints a link to choose its password
  user reset-password EMAIL [--password-stdin]
                                         print a link to choose a new password
  user disconnect-provider EMAIL         disconnect an account from its identity at the identity provider
  help                                   print this

Every command prints how it is called with --help. They end with 0 when what was asked is done, with 2 when the command or a
setting is wrong, and with 1 when it could not be done.

Only start, project add, user add and restore create an installation where CULVERT_DATA_DIR has none. The other commands end with 1.

PROJECT is an id or a slug. What changes projects, keys, limits and scrubbing works while the server runs, which knows it
within a second.

Settings are environment variables:

  PORT               port to listen on, 0 for any free one         3000
  HOST               address to listen on                          127.0.0.1
  CULVERT_DATA_DIR   directory of the database                     data
  CULVERT_ORIGIN     address that SDKs and browsers use, for DSNs  http://HOST:PORT
  CULVERT_MAX_BYTES  size of the database at most                  10GB
  SENTRY_ENVIRONMENT environment of Culvert's own errors           production
  CULVERT_SECRET     signs session cookies                         made once, kept in the database
  CULVERT_OIDC_ISSUER, CULVERT_OIDC_CLIENT_ID, CULVERT_OIDC_CLIENT_SECRET, CULVERT_OIDC_NAME
                     an identity provider to sign in at            none
  CULVERT_OIDC_SECOND_FACTOR  provider: only the provider asks for one  culvert
  CULVERT_OIDC_ASSUME_VERIFIED_EMAIL  1: see docs/accounts.md first  0
  CULVERT_TUNNEL_PATH  path of the tunnel                          /monitoring
  CULVERT_UPSTREAM_SLUG_DSN  where a project sends on to: its slug in upper case, with underscores
  CULVERT_ALLOW_PRIVATE_UPSTREAMS  1: upstreams may be on a private network  0
  CULVERT_TRUSTED_PROXIES  proxies whose X-Forwarded-For is believed  loopback
  CULVERT_CLIENT_ADDRESS_HEADERS  headers in which they write the client  X-Forwarded-For
  CULVERT_METRICS_TOKEN  what Prometheus asks /metrics with         not set
  LOG_LEVEL          trace, debug, info, warn, error, fatal, silent  info

The log is one JSON object a line on standard output. SIGTERM and SIGINT stop the server after the requests in
flight; another one, a second later or more, stops it at once.
`

/** `culvert help`: all of it, or the commands that begin with the words that follow. */
export const help: Command = async (args, context) => {
  const words = args.filter((argument) => !isHelpOption(argument)).join(' ')
  const alike = words === '' ? text : commandsText(words)
  if (alike === '')
    throw new OperatorError(`There is no command ${JSON.stringify(words)}. "culvert help" lists them.`, 2)
  context.print(alike)
}

/** The lines of the help about the commands that begin with these words; empty where none does. */
export function commandsText(words: string): string {
  const [, list = ''] = /\n\n([^]*?)\n\n/.exec(text) ?? []
  return (
    `${list}\n`
      .split(/^(?= {2}\S)/m)
      // `key disable KEY, key enable KEY` is two of them.
      .filter((entry) => `, ${entry.trimStart()}`.includes(`, ${words} `))
      .join('')
  )
}
