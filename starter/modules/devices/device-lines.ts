import type { HttpContext } from 'sallyport'
import { deviceMessage } from '../../identity/clients/client-messages.ts'
import { readDeviceCookie } from '../../identity/devices/device-cookie.ts'
import type { TrustedDevice } from '../../identity/devices/trusted-devices.ts'
import { type Moment, type PageMessage, toMoment } from '../presentation.ts'

/** A trusted browser as the page shows it. */
export interface DeviceLine {
  /** Names it in its form. */
  readonly id: string
  /** Browser and system. */
  readonly device: PageMessage
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean
  /** Since when. */
  readonly trusted: Moment
  /** When it was last used. */
  readonly used: Moment
  /** Until when. */
  readonly ends: Moment
}

/**
 * @param devices Trusted browsers.
 * @param context Context of the request.
 * @returns The same, as the page shows them.
 */
export function toDeviceLines(
  devices: readonly TrustedDevice[],
  context: HttpContext,
): readonly DeviceLine[] {
  const locale = context.locale()
  const current = readDeviceCookie(context)?.id
  return devices.map(({ id, device, trustedAt, usedAt, endsAt }) => ({
    id,
    device: deviceMessage(device),
    isCurrent: id === current,
    trusted: toMoment(trustedAt, locale),
    used: toMoment(usedAt, locale),
    ends: toMoment(endsAt, locale),
  }))
}
