import type { LightResponse } from './light-response.ts'

/**
 * Says that a response depends on a header of the request.
 *
 * @param response The response.
 * @param name Name of the header; it is not named twice, in any letter case.
 */
export function addVary(response: LightResponse, name: string): void {
  if (response.header('vary') === null) return response.setConstant('vary', name)
  // All lines with that name.
  const value = response.headers.get('vary') ?? ''
  const names = value.split(',').map((part) => part.trim().toLowerCase())
  if (names.includes('*') || names.includes(name.toLowerCase())) return
  response.headers.set('vary', `${value}, ${name}`)
}
