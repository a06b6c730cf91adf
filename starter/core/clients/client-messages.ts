import type { Device } from 'sallyport-app/clients'
import type { MailMessage } from 'sallyport-app/mail'

/** @returns What pages and mails call it. */
export function deviceMessage({ browser, system }: Device): MailMessage {
  if (browser !== '' && system !== '') return { id: 'device.both', values: { browser, system } }
  const name = browser || system
  return name === '' ? { id: 'device.unknown' } : { id: 'device.one', values: { name } }
}

/** @returns What pages and mails call it. */
export function placeMessage(place: string): MailMessage {
  return place === '' ? { id: 'events.unknown-client' } : { id: 'device.place', values: { place } }
}
