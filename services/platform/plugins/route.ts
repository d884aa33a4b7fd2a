/** Where new work of an installation comes from; empty text stands for all. */
export interface PluginRoute {
  originCountry: string;
  sendCurrency: string;
  receivingCountry: string;
  receivingCurrency: string;
  method: string;
  /** 1 goes first. */
  priority: number;
}
