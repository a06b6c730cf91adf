import bowser from 'bowser'

// A device is stored as "<browser>/<system>", such as "Firefox/Linux"; a part that is not known is empty.

// Clients choose what they send, and browsers send less than 300 characters.
const MAX_CHARACTERS = 512

// The library takes the name of an unknown browser from what the client sent. Nobody writes words of their own into a mail.
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(bowser.BROWSER_MAP),
  ...Object.values(bowser.OS_MAP),
  'iPhone',
  'iPad',
])

// Reading one takes longer than most statements of a sign-in. Few browsers make most of the requests.
const KEPT_DEVICES = 200
const known = new Map<string, string>()

/** What a client is, in words; each part is empty when it is not known. */
export interface Device {
  /** Name of the browser, such as `Firefox`. */
  readonly browser: string
  /** Name of the system or, of a telephone or tablet, of the device: `Linux`, `iPhone`. */
  readonly system: string
}

/**
 * Names browser and system. This is what the client says of itself: for people, and nothing that a decision may rest on.
 *
 * @param userAgent The header `User-Agent`; null for none.
 * @returns Both, such as `Firefox/Linux`. What is not known is empty, as in `/Linux`.
 */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return formatDevice({ browser: '', system: '' })
  const text = userAgent.slice(0, MAX_CHARACTERS)
  const device = known.get(text) ?? readDevice(text)
  if (known.size >= KEPT_DEVICES) known.clear()
  known.set(text, device)
  return device
}

function readDevice(userAgent: string): string {
  const { browser, os, platform } = bowser.parse(userAgent)
  const isApple = os.name === 'iOS'
  return formatDevice({
    browser: toName(browser.name),
    system: toName(isApple ? (platform.model ?? os.name) : os.name),
  })
}

/**
 * Takes what {@link deviceOf} has named apart again.
 *
 * @param stored What it has named; anything else is no device.
 * @returns Its parts.
 */
export function parseDevice(stored: string): Device {
  const [browser = '', system = ''] = stored.split('/')
  return { browser, system }
}

function formatDevice({ browser, system }: Device): string {
  return `${browser}/${system}`
}

function toName(name = ''): string {
  return KNOWN_NAMES.has(name) ? name.replaceAll('/', ' ') : ''
}
