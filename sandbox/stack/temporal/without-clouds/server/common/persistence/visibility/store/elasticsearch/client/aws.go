package client

import (
	"errors"
	"net/http"
)

func NewAwsHttpClient(config ESAWSRequestSigningConfig) (*http.Client, error) {
	if config.Enabled {
		return nil, errors.New("built without AWS")
	}
	return nil, nil
}
