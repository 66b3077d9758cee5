import { BillingApi, Configuration } from './index';

const { API_URL = '', API_KEY = '', PRODUCT } = process.env;
const api = new BillingApi(new Configuration({ basePath: API_URL, accessToken: API_KEY }));
const { data } = await api.listProducts();
console.log(data.find(({ id }) => id === PRODUCT)?.activePrice?.amount);
