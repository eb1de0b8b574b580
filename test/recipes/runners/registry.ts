import { addOwnerIn } from '../../support/session.ts'
import { listedTools, mcpClient } from './agents.ts'
import { destinationCommands, environmentOf, webhookBody, webhookTemplate } from './alerts.ts'
import { curl, expectPluginUpload, expectUpload, sentryCli, withProject } from './api-tools.ts'
import { distributedByCitus, nodesOfCitus } from './citus.ts'
import { backUp, commandsAlone, commandsFor42, deadLetters, knownScripts, realNpm } from './command-lines.ts'
import { readmeCurl } from './first-event.ts'
import {
  copiedFromSqlite,
  dumpedAndRestored,
  guideUrl,
  migrated,
  ownerOfDatabase,
  rolesAndDatabases,
  standbyCopied,
} from './postgresql.ts'
import {
  expressHandler,
  fileOfGuide,
  fingerprintPerShop,
  oneFingerprint,
  pythonDigest,
  readmeProgram,
  securityPolicy,
} from './programs.ts'
import type { Recipe } from './recipe.ts'
import { postedReport, reportDialog, reportDialogPolicy } from './report-dialog.ts'
import {
  fingerprintRules,
  groupedMessage,
  notReady,
  printedAtStart,
  prometheus,
  scrubbedEvent,
  search,
  settings,
  stackTraceRules,
  tree,
} from './texts.ts'
import { runBy, tunnelOption, upstreamCommands } from './tunnel.ts'
import { cloneAndStart, vercelFunction } from './whole-project.ts'

/**
 * The runner of each fenced block of the documents, by its name. A block without one fails documents.test.ts.
 */
export const recipes: Readonly<Record<string, Recipe>> = {
  'README.md, Start': cloneAndStart,
  'README.md, The first event, in a minute': readmeCurl,
  'README.md, The first event, in a minute, 2': readmeProgram,
  'README.md, Settings': realNpm,
  'CONTRIBUTING.md, Run it': knownScripts,
  'CONTRIBUTING.md, Check it': knownScripts,
  'CONTRIBUTING.md, Find your way': tree,
  'docs/accounts.md, The owner account': printedAtStart,
  'docs/accounts.md, The owner account, 2': commandsAlone({}, '/password/'),
  'docs/accounts.md, A forgotten password': commandsAlone({ prepare: addOwnerIn }, '/password/'),
  'docs/accounts.md, An identity provider': commandsAlone({ prepare: addOwnerIn }, 'ada@example.com'),
  'docs/agents.md, Connecting': mcpClient,
  'docs/agents.md, Connecting, 2': listedTools,
  'docs/alerts.md, Channels': destinationCommands,
  'docs/alerts.md, The mail server': environmentOf({ mail: { server: { isTlsFromStart: true } } }),
  'docs/alerts.md, Webhooks': webhookBody,
  'docs/alerts.md, Webhooks, 2': webhookTemplate,
  'docs/alerts.md, Addresses': environmentOf({ privateDestinations: { networks: ['10.1.0.0/16'] } }),
  'docs/api.md, sentry-cli': sentryCli,
  'docs/api.md, Lists': curl((answer) => (Array.isArray(answer) ? answer.length : answer), 1),
  'docs/api.md, Changing issues': curl((answer) => Reflect.get(Object(answer), 'status'), 'resolved', true),
  'docs/deploy-vercel.md, Steps': migrated('postgres://USER:PASSWORD@HOST/DATABASE?sslmode=require'),
  'docs/deploy-vercel.md, Steps, 2': ownerOfDatabase,
  'docs/deploy-vercel.md, What runs when': runBy(
    'test/integration/vercel-build.test.ts',
    '{running.origin}/api/cron',
  ),
  'docs/deploy-vercel.md, Connections': rolesAndDatabases,
  'docs/deploy-vercel.md, Run the function locally': vercelFunction,
  'docs/digest.md, React': fileOfGuide('react', 'src/main.tsx'),
  'docs/digest.md, Vue': fileOfGuide('vue', 'src/FailureBoundary.vue'),
  'docs/digest.md, TanStack Start': fileOfGuide('start', 'src/sentry.ts'),
  'docs/digest.md, TanStack Start, 2': fileOfGuide('start', 'src/failure-page.tsx'),
  'docs/digest.md, TanStack Start, 3': fileOfGuide('start', 'src/start.ts'),
  'docs/digest.md, TanStack Start, 4': fileOfGuide('start', 'src/router.tsx'),
  'docs/digest.md, Next.js': fileOfGuide('next', 'instrumentation.ts'),
  'docs/digest.md, Next.js, 2': fileOfGuide('next', 'app/global-error.tsx'),
  'docs/digest.md, Next.js, 3': fileOfGuide('next', 'next.config.ts'),
  'docs/digest.md, Any SDK': expressHandler,
  'docs/digest.md, Any SDK, 2': pythonDigest,
  'docs/grouping.md, Messages': groupedMessage,
  'docs/grouping.md, Your own fingerprint': oneFingerprint,
  'docs/grouping.md, Your own fingerprint, 2': fingerprintPerShop,
  'docs/ingest.md, Security reports': securityPolicy,
  'docs/limits.md, Rate limits, spike protection and allowed origins': commandsFor42('all=60000/min'),
  'docs/limits.md, Spike protection': commandsFor42('off'),
  'docs/limits.md, Allowed origins': commandsFor42('https://shop.example:8443'),
  'docs/limits.md, Keys': commandsFor42(
    'd15ab1edd15ab1edd15ab1edd15ab1ed',
    'npm run -s culvert -- key add 42 --key d15ab1edd15ab1edd15ab1edd15ab1ed',
  ),
  'docs/operating.md, Back up': commandsAlone(
    { prepare: addOwnerIn, values: (dataDir) => ({ '/backups': dataDir }) },
    'culvert-monday.db',
  ),
  'docs/operating.md, Restore': commandsAlone(
    { prepare: backUp, values: (dataDir) => ({ '/backups': dataDir }) },
    'culvert-replaced',
  ),
  'docs/operating.md, Health and metrics': commandsAlone({ prepare: addOwnerIn }, 'culvert.db'),
  'docs/operating.md, Health and metrics, 2': prometheus,
  'docs/operating.md, Dead letters': deadLetters,
  'docs/postgresql.md, Create the database': rolesAndDatabases,
  'docs/postgresql.md, Create the database, 2': migrated(guideUrl),
  'docs/postgresql.md, Settings of the server': rolesAndDatabases,
  'docs/postgresql.md, A replica for reads': standbyCopied,
  'docs/postgresql.md, Back up': dumpedAndRestored,
  'docs/postgresql.md, Move from SQLite': copiedFromSqlite,
  'docs/scale.md, Several databases: Citus': nodesOfCitus,
  'docs/scale.md, Several databases: Citus, 2': distributedByCitus,
  'docs/projects.md, Stack trace rules': stackTraceRules,
  'docs/projects.md, Fingerprint rules': fingerprintRules,
  'docs/report-dialog.md, The report dialog': reportDialog,
  'docs/report-dialog.md, Content Security Policy': reportDialogPolicy,
  'docs/report-dialog.md, Limits': postedReport,
  'docs/scrubbing.md, What you see': scrubbedEvent,
  'docs/scrubbing.md, Settings': commandsFor42('creditcard'),
  'docs/search.md, Searching issues': search,
  'docs/serving.md, Health checks': notReady,
  'docs/serving.md, Behind a proxy': settings,
  'docs/source-maps.md, sentry-cli': withProject(expectUpload('upload-commands')),
  'docs/source-maps.md, Bundlers': withProject(expectPluginUpload('upload-plugin')),
  'docs/source-maps.md, Without debug ids': expectUpload('upload-release', {
    prepare: 'npx vite build',
    leavesMaps: true,
  }),
  'docs/tunnel.md, Forward to an upstream': upstreamCommands,
  'docs/tunnel.md, On the origin of your application': tunnelOption,
  'docs/tunnel.md, nginx': runBy('test/integration/tunnel-recipes.test.ts', "recipeFor('nginx', "),
  'docs/tunnel.md, Caddy': runBy('test/integration/tunnel-recipes.test.ts', "recipeFor('Caddy', "),
  'docs/tunnel.md, TanStack Start': runBy(
    'test/integration/tunnel-recipes.test.ts',
    "recipeFor('TanStack Start', ",
  ),
  'docs/tunnel.md, Express': runBy('test/support/recipe.ts', "readRecipe('Express')"),
}
