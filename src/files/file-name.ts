// Windows opens a device for these names, with any extension and in any letter case.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\.|:|$)/i
// A separator, a drive or stream of Windows, or a control character, NUL among them.
const FORBIDDEN = /[/\\:\p{Cc}]/u

/**
 * Whether a name of a file or folder may be part of a URL. Refused are names that some system reads as another file: those
 * with a separator, of a device, or ending with a dot or a space, which Windows drops. Names that begin with a dot are refused
 * because they hold what nobody means to publish.
 *
 * @param name One part of a path, decoded.
 * @returns Whether it may be served.
 */
export function isServable(name: string): boolean {
  return name !== '' && !/^\.|[. ]$/.test(name) && !FORBIDDEN.test(name) && !DEVICE.test(name)
}
