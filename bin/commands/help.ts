import { OperatorError } from '#server/errors.ts'
import { isHelpOption, type Command } from './command.ts'

const text = `Usage: culvert COMMAND

  start [--ingest-only]                  run the server; --ingest-only serves ingest without the console
  migrate                                migrate the schema of the database to this version
  copy                                   copy CULVERT_DATA_DIR into the empty PostgreSQL database of DATABASE_URL
  project add NAME [--id N] [--key KEY]  create a project and print its DSN
  project list [--json]                  print every project with its DSN
  project delete PROJECT --confirm SLUG  permanently delete a project and its data
  key add PROJECT [--key KEY] [--label TEXT] [--disabled]
                                         add a key to a project and print its DSN
  key list [PROJECT] [--json]            print the keys of a project, or of all
  key disable KEY, key enable KEY        reject events sent with a key, or re-enable it
  limits show PROJECT [--json]           show the limits of a project
  limits set PROJECT OPTIONS             change them; without options, list the options
  retention show [PROJECT] [--json]      show the retention of each project
  retention set PROJECT OPTIONS          change them; without options, list the options
  retention run [--dry-run] [--trust-clock]
                                         delete expired data now; the server does it every hour
  scrubbing show PROJECT [--json]        show the scrubbing rules of a project
  scrubbing set PROJECT OPTIONS          change them; without options, list the options
  ownership show PROJECT [--json]        show the code owners of a project
  ownership set PROJECT OPTIONS          replace the rules or the CODEOWNERS file; without options, list the options
  upstream add PROJECT DSN [--organization N [--region xx]] [--connect HOST:PORT] [--errors-only] [--forward-only]
                                         forward a project's data to another error-reporting service
  upstream list [PROJECT] [--json]       list upstreams and their queues
  upstream pause PROJECT [DSN], upstream resume PROJECT [DSN]
                                         queue new envelopes, or send them again
  upstream remove PROJECT [DSN]          stop forwarding; queued envelopes are discarded
  upstream mode PROJECT both|forward-only
                                         store and forward, or only forward
  rule add PROJECT OPTIONS               add an alert rule; without options, list the options
  rule list [PROJECT] [--json]           list the alert rules as sentences
  rule export [PROJECT], rule import FILE
                                         write rules as JSON, or add and replace them
  destination add CHANNEL NAME SETTING=VALUE …
                                         add an alert destination; without settings, list those of the channel
  destination list [--json]              list the alert destinations
  destination test DESTINATION           send a test message and print the response
  destination remove DESTINATION         delete a destination; its pending messages are discarded
  import sentry URL|FILE [--org SLUG] [--project SLUG …] [--events N] [--apply]
                                         dry run of an import from Sentry; --apply imports
  import glitchtip URL [OPTIONS], import bugsink URL [OPTIONS]
                                         the same from GlitchTip or Bugsink; token in CULVERT_IMPORT_TOKEN
  import compare [--json]                compare the counts of imported issues with the other tracker's
  backup FILE [--force]                  copy the database into one checked file; works while the server runs
  restore FILE                           replace the database with a backup; the old one is kept; stop the server first
  doctor [--json]                        check data, settings, public URL and mail, and print remedies; exits with 1 on a problem
  dead-letters list [--json]             list items that could not be processed
  dead-letters retry LETTER… | --all     retry them after a fix
  dead-letters delete LETTER…            permanently delete them
  user add EMAIL [--name NAME] [--role ROLE] [--password-stdin]
                                         create an account; prints a link to choose its password
  user reset-password EMAIL [--password-stdin]
                                         print a link to choose a new password
  user set-role EMAIL ROLE               change the role of an account, for example if the only owner has left
  user remove EMAIL                      delete an account, and end its sessions
  user disable-two-factor EMAIL          turn off the second factor of an account
  user disconnect-provider EMAIL         disconnect an account from its identity at the identity provider
  version                                print the version, the build and the schema of the database
  help                                   print this

Every command prints its usage with --help. Exit status: 0 on success, 2 when the command or a
setting is invalid, 1 when the command failed.

Only start, migrate, project add, user add, import and restore create an installation where CULVERT_DATA_DIR has none. The other commands exit with 1.

PROJECT is an ID or a slug. Changes to projects, keys, limits and scrubbing take effect within a second,
without a restart.

Settings are environment variables:

  PORT               port to listen on, 0 for any free one         3000
  HOST               address to listen on                          127.0.0.1
  CULVERT_DATA_DIR   directory of the database                     data
  DATABASE_URL       a PostgreSQL database instead of that directory  not set
  CULVERT_ORIGIN     address that SDKs and browsers use, for DSNs  http://HOST:PORT
  CULVERT_MAX_BYTES  maximum size of the database                  10GB
  SENTRY_ENVIRONMENT environment of Culvert's own errors           production
  CULVERT_SECRET     signs session cookies                         generated, kept in the database
  CULVERT_OIDC_ISSUER, CULVERT_OIDC_CLIENT_ID, CULVERT_OIDC_CLIENT_SECRET, CULVERT_OIDC_NAME
                     an identity provider for sign-in              none
  CULVERT_OIDC_SECOND_FACTOR  provider: only the provider asks for one  culvert
  CULVERT_OIDC_ASSUME_VERIFIED_EMAIL  1: see docs/accounts.md first  0
  CULVERT_TUNNEL_PATH  path of the tunnel                          /monitoring
  CULVERT_UPSTREAM_SLUG_DSN  upstream of a project: its slug in upper case, with underscores
  CULVERT_ALLOW_PRIVATE_UPSTREAMS  1: upstreams may be on a private network  0
  CULVERT_SMTP_URL, CULVERT_MAIL_FROM  mail server and sender of alerts, see docs/alerts.md  not set
  CULVERT_ALLOW_PRIVATE_DESTINATIONS  hosts and networks for alerts and uptime checks  none
  CULVERT_UPTIME_SECOND_TARGET  second target, requested when an uptime check fails  none
  CULVERT_TRUSTED_PROXIES  proxies whose X-Forwarded-For is trusted  loopback
  CULVERT_CLIENT_ADDRESS_HEADERS  headers with the client address  X-Forwarded-For
  CULVERT_METRICS_TOKEN  token for Prometheus at /metrics         not set
  CULVERT_IMPORT_TOKEN  token of the tracker that "import" reads     not set
  CULVERT_OWN_TRACES_RATE  sample rate of traces of the console's requests  0.01
  LOG_LEVEL          trace, debug, info, warn, error, fatal, silent  info

The log is one JSON object per line on standard output. SIGTERM and SIGINT stop the server after the requests in
flight; a second signal, at least a second later, stops it immediately.
`

/** `culvert help`: prints the whole help, or the commands that begin with the given words. */
export const help: Command = async (args, context) => {
  const words = args.filter((argument) => !isHelpOption(argument)).join(' ')
  const alike = words === '' ? text : commandsText(words)
  if (alike === '')
    throw new OperatorError(`Unknown command ${JSON.stringify(words)}. "culvert help" lists them.`, 2)
  context.print(alike)
}

/** Help lines of the commands that begin with these words; empty if none does. */
export function commandsText(words: string): string {
  const [, list = ''] = /\n\n([^]*?)\n\n/.exec(text) ?? []
  return (
    `${list}\n`
      .split(/^(?= {2}\S)/m)
      // `key disable KEY, key enable KEY` are two commands.
      .filter((entry) => `, ${entry.trimStart()}`.includes(`, ${words} `))
      .join('')
  )
}
