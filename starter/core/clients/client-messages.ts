import type { Device } from 'sallyport-app/clients'

/** A message of the catalogue about a client. */
export interface ClientMessage {
  /** Identifier of the message. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: Readonly<Record<string, string>>
}

/** @returns What pages and mails call it. */
export function deviceMessage({ browser, system }: Device): ClientMessage {
  if (browser !== '' && system !== '') return { id: 'device.both', values: { browser, system } }
  const name = browser || system
  return name === '' ? { id: 'device.unknown' } : { id: 'device.one', values: { name } }
}

/** @returns What pages and mails call it. */
export function placeMessage(place: string): ClientMessage {
  return place === '' ? { id: 'events.unknown-client' } : { id: 'device.place', values: { place } }
}
