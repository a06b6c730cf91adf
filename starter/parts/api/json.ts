/** @returns The time in UTC as RFC 3339 has it. */
export function toIso(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
}
