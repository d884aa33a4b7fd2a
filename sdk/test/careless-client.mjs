// A client that reads amounts as floats, so that a test sees the cases fail.
class Client {
  quotes;

  constructor({ baseUrl }) {
    const read = async (id) =>
      (await (await fetch(`${baseUrl}/api/v6/services/transactionmanagement/quotes/${id}`)).json()).data;
    this.quotes = { read: (id) => Object.assign(read(id), { withResponse: () => ({ meta: {} }) }) };
  }
}

export { Client as Manilla };
