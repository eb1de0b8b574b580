class MailDeliveryError extends Error {
  override readonly name = 'MailDeliveryError'
  readonly code: number

  constructor(code: number, answer: string) {
    super(`${code} ${answer}`)
    this.code = code
  }
}

/** Notifies a customer of a shipped order. */
export async function sendShippingMail(address: string): Promise<void> {
  console.log(`MAIL FROM:<orders@shop.example> RCPT TO:<${address}>`)
  await deliver(address)
}

async function deliver(address: string): Promise<void> {
  const answer = await Promise.resolve({ code: 550, text: 'mailbox unavailable' })
  if (answer.code >= 500) throw new MailDeliveryError(answer.code, answer.text)
  console.log(`delivered to ${address}`)
}
