/** How the hosted page embeds a rail's card fields (protocol: `rail/README.md`). */

/** The page around the card fields, and the amount that a wallet's sheet shows. */
export interface RailPage {
  readonly origin: string;
  readonly language: string;
  readonly amountCents: number;
  readonly currency: string;
}

/** The data that the hosted page needs to embed the rail's card fields. */
export interface RailPublicConfig {
  /** URL of the document in the iframe. */
  readonly fieldsUrl: string;
  /** The only origin whose messages the page accepts. */
  readonly fieldsOrigin: string;
  /** True if the document simulates wallets: they work on any device, and the page labels them as simulated. */
  readonly simulatedWallets: boolean;
}

export interface FieldsDocumentRequest {
  readonly query: URLSearchParams;
  /** The only origin that may frame the document. */
  readonly pageOrigin: string;
  /** The nonce of the document's own scripts and styles. */
  readonly nonce: string;
  /** Path of the adapter's bundled browser script (`rail/<rail>/browser/fields.ts`). */
  readonly scriptUrl: string;
  /** The script's hash, for the attribute `integrity`. */
  readonly scriptIntegrity: string;
}

export interface FieldsDocument {
  readonly html: string;
  readonly contentSecurityPolicy: string;
  /** The Permissions-Policy header; without `payment`, browsers disable wallets inside a frame. */
  readonly permissionsPolicy: string;
}
