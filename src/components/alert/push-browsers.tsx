import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { PushBrowsersView } from '#server/console/alerts/views.ts'
import { endSubscription, findOwnBrowserId, nameOfBrowser, subscribe } from './push-subscription.ts'

/** The browsers that show notifications, and the button that adds this one. */
export function PushBrowsers({ view }: { view: PushBrowsersView }) {
  const { browsers, publicKey } = view
  const [ownId, setOwnId] = useState<string>()
  useEffect(() => {
    const find = async () => setOwnId(await findOwnBrowserId())
    void find()
  }, [])
  return (
    <Panel id="browsers" title="Browsers" note={countedNoun(browsers.length, 'browser')}>
      {browsers.length === 0 ? (
        <p className="quiet">No browsers yet. Add this browser to get notifications of new inbox items.</p>
      ) : (
        <ul className="member-list">
          {browsers.map((each) => (
            <BrowserRow key={each.id} browser={each} isOwn={each.id === ownId} />
          ))}
        </ul>
      )}
      {publicKey === undefined ? (
        <p className="quiet">Browser notifications require CULVERT_ORIGIN with https.</p>
      ) : (
        <Subscribe
          publicKey={publicKey}
          isSubscribed={browsers.some(({ id }) => id === ownId)}
          onSubscribed={setOwnId}
        />
      )}
    </Panel>
  )
}

function BrowserRow({
  browser: { id, name, createdAt },
  isOwn,
}: {
  browser: PushBrowsersView['browsers'][number]
  isOwn: boolean
}) {
  const remove = useForm('remove', { of: { push: id } })
  return (
    <li>
      <span className="member-name">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {isOwn ? <span className="quiet">this browser</span> : null}
      </span>
      <span className="quiet">
        since <Time at={createdAt} />
      </span>
      <div onSubmitCapture={isOwn ? () => void endSubscription() : undefined}>
        <Form form={remove} submitLabel="Remove" submitName={`Remove ${name}`} tone="plain" />
      </div>
    </li>
  )
}

const fields = ['endpoint', 'p256dh', 'auth', 'browser'] as const

interface SubscribeProps {
  publicKey: string
  isSubscribed: boolean
  onSubscribed: (ownId: string | undefined) => void
}

/** The browser subscribes first, then the form is submitted with the subscription. */
function Subscribe({ publicKey, isSubscribed, onSubscribed }: SubscribeProps) {
  const form = useForm('subscribe', { isEmptied: true })
  const inputs = useRef(new Map<string, HTMLInputElement>())
  const [problem, setProblem] = useState<string>()
  const fill = async () => {
    setProblem(undefined)
    const answer = await subscribe(publicKey)
    if (!answer.ok) return setProblem(answer.problem)
    const values = new Map(
      Object.entries({ ...answer.subscription, browser: nameOfBrowser(navigator.userAgent) }),
    )
    for (const [name, input] of inputs.current) input.value = values.get(name) ?? ''
    onSubscribed(await findOwnBrowserId())
    inputs.current.get('endpoint')?.form?.requestSubmit()
    return undefined
  }
  const onSubmit = (event: SubmitEvent<HTMLDivElement>) => {
    if (inputs.current.get('endpoint')?.value !== '') return
    event.preventDefault()
    event.stopPropagation()
    void fill()
  }
  if (isSubscribed) return null
  return (
    <div onSubmitCapture={onSubmit}>
      <Form form={form} submitLabel="Show notifications in this browser" tone="plain">
        {fields.map((name) => (
          <input
            key={name}
            ref={(input) => {
              if (input) inputs.current.set(name, input)
              else inputs.current.delete(name)
            }}
            type="hidden"
            name={name}
            defaultValue=""
          />
        ))}
        <div role="status">{problem === undefined ? null : <p className="form-problem">{problem}</p>}</div>
      </Form>
    </div>
  )
}
