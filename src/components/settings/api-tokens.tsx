import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { ApiTokensView } from '#server/console/account/views.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { SettingsHeader } from './settings-header.tsx'
import { tokenCommands } from './token-commands.ts'

/** The `/settings/tokens` screen: what tools call the API with. */
export function ApiTokens({ view }: { view: ApiTokensView }) {
  const { tokens } = view
  const form = useForm('create', { isEmptied: true })
  return (
    <NowProvider now={view.now}>
      <SettingsHeader
        title="API tokens"
        description="For sentry-cli, editors and scripts. Tokens act as you, limited to their scopes."
        canConfigure={view.canConfigure}
      />
      <Panel id="tokens" title="Your tokens" note={countedNoun(tokens.length, 'token')}>
        {tokens.length === 0 ? (
          <p className="quiet">No tokens yet.</p>
        ) : (
          <ul className="member-list">
            {tokens.map((each) => (
              <TokenRow key={each.id} token={each} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel id="new-token" title="Create token">
        <div role="status">
          {form.shown?.kind === 'token' ? <NewToken token={form.shown.token} view={view} /> : null}
        </div>
        <Form form={form} submitLabel="Create">
          <Field label="Name" name="name" maxLength={100} placeholder="Shop deploys" />
          <ScopeChoice offered={view.scopes} />
        </Form>
      </Panel>
    </NowProvider>
  )
}

function NewToken({ token, view }: { token: string; view: ApiTokensView }) {
  const { origin, organizationSlugs } = view
  const commands = tokenCommands({ origin, organizationSlug: organizationSlugs[0] ?? 'default', token })
  return (
    <div className="new-token">
      <p className="form-note">
        Copy it now; it won’t be shown again: <code className="invite-link">{token}</code>
        <CopyButton text={token} label="Copy token" />
      </p>
      <CodeBlock label="Shell" code={commands} />
    </div>
  )
}

function TokenRow({
  token: { id, name, scopes, ending, createdAt, lastUsedAt },
}: {
  token: ApiTokensView['tokens'][number]
}) {
  const revoke = useForm('revoke', { of: { token: id } })
  return (
    <li className="token-row">
      <span className="member-name">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="quiet">
          <code>…{ending}</code> {scopes.join(', ')}
        </span>
      </span>
      <span className="quiet">
        created <Time at={createdAt} />, {lastUsedAt === undefined ? 'never used' : 'used '}
        {lastUsedAt === undefined ? null : <Time at={lastUsedAt} />}
      </span>
      <ConfirmedForm
        form={revoke}
        verb="Revoke"
        subject={name}
        warning="Requests with this token will be rejected. A revoked token can’t be restored."
      />
    </li>
  )
}
