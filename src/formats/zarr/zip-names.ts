// PKWARE APPNOTE 6.3.10, appendix D: names are IBM code page 437 unless flag bit 11 says UTF-8.
import { anyText, latin1Text } from '../../bytes/text.ts'

/** Code page 437 from 0x80; below that it is ASCII. */
const UPPER_HALF =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** The name of a member. */
export function decodeMemberName(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return anyText(bytes)
  const text = latin1Text(bytes)
  // Nearly all names of Zarr stores are ASCII, which both agree on.
  return text.replace(/[\u0080-\u00ff]/g, (character) => UPPER_HALF[character.charCodeAt(0) - 0x80] ?? character)
}
